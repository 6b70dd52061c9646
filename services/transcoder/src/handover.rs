//! Connections that can leave HTTP, for WebSockets.
//!
//! tonic's server closes an HTTP/1 connection after an answer with the status 101. A connection
//! that a request has claimed until then is handed over to it instead of being closed.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use tokio::io::{self, AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::oneshot;
use tonic::transport::server::{Connected, TcpConnectInfo};

/// A connection without its type.
pub trait Io: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Io for S {}

/// A connection that is handed over, when the server closes it, to the request that claimed it.
///
/// Bytes that the server has read beyond that request are lost. A client sends none: it waits for
/// the answer.
pub struct Handover<S: Io + 'static> {
    /// `None` once it is dropped.
    connection: Option<S>,
    claim: Claim,
}

/// What is known of a request's connection; among the extensions of the request.
#[derive(Clone)]
pub struct ConnectionInfo {
    /// The address of the client, or of the last proxy.
    pub address: Option<SocketAddr>,
    claim: Claim,
}

/// Where the connection is wanted, if anywhere.
type Claimant = Option<oneshot::Sender<Box<dyn Io>>>;

#[derive(Clone, Default)]
struct Claim(Arc<Mutex<Claimant>>);

impl ConnectionInfo {
    /// Claims the connection of an HTTP/1 request that will be answered with the status 101.
    pub fn claim(&self) -> oneshot::Receiver<Box<dyn Io>> {
        let (to, claimed) = oneshot::channel();
        *self.claim.0.lock().expect("no code panics while holding the lock") = Some(to);
        claimed
    }
}

impl<S: Io + 'static> Handover<S> {
    pub fn new(connection: S) -> Self {
        Self { connection: Some(connection), claim: Claim::default() }
    }

    fn connection(&mut self) -> Pin<&mut S> {
        Pin::new(self.connection.as_mut().expect("it is there until it is dropped"))
    }
}

impl<S: Io + 'static> Drop for Handover<S> {
    fn drop(&mut self) {
        let claimed = self.claim.0.lock().ok().and_then(|mut claim| claim.take());
        if let (Some(to), Some(connection)) = (claimed, self.connection.take()) {
            drop(to.send(Box::new(connection)));
        }
    }
}

impl<S: Io + Connected<ConnectInfo = TcpConnectInfo> + 'static> Connected for Handover<S> {
    type ConnectInfo = ConnectionInfo;

    fn connect_info(&self) -> ConnectionInfo {
        let info = self.connection.as_ref().map(Connected::connect_info);
        let address = info.and_then(|info| info.remote_addr());
        ConnectionInfo { address, claim: self.claim.clone() }
    }
}

impl<S: Io + 'static> AsyncRead for Handover<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.connection().poll_read(cx, buffer)
    }
}

impl<S: Io + 'static> AsyncWrite for Handover<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.connection().poll_write(cx, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.connection.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.connection().poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.connection().poll_shutdown(cx)
    }
}
