//! A connection on which short answers leave in one packet.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use metrics::Gauge;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;
use tonic::transport::server::{Connected, TcpConnectInfo};

/// A connection without vectored writes, with or without TLS.
///
/// With them, the HTTP/2 implementation sends each message of more than 256 bytes without copying
/// it, and the trailers in a packet of their own. Without them it copies messages of up to a
/// kilobyte into one buffer with their headers and trailers.
pub struct Connection {
    bytes: Bytes,
    /// The client's address, if a proxy has named it.
    client: Option<SocketAddr>,
    _counted: Option<Counted>,
}

/// A connection in a gauge of those that are open.
struct Counted(Gauge);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}

enum Bytes {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Connection {
    pub fn plain(tcp: TcpStream) -> Self {
        Self { bytes: Bytes::Plain(tcp), client: None, _counted: None }
    }

    pub fn tls(tls: TlsStream<TcpStream>) -> Self {
        Self { bytes: Bytes::Tls(Box::new(tls)), client: None, _counted: None }
    }

    /// The connection of a client whose address a proxy has named.
    pub fn of(self, client: Option<SocketAddr>) -> Self {
        Self { client, ..self }
    }

    /// Counts it in a gauge until it is closed.
    pub fn counted(self, open: &Gauge) -> Self {
        open.increment(1);
        Self { _counted: Some(Counted(open.clone())), ..self }
    }
}

impl Connected for Connection {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        let info = match &self.bytes {
            Bytes::Plain(tcp) => tcp.connect_info(),
            Bytes::Tls(tls) => tls.get_ref().0.connect_info(),
        };
        TcpConnectInfo { remote_addr: self.client.or(info.remote_addr), ..info }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut self.get_mut().bytes {
            Bytes::Plain(tcp) => Pin::new(tcp).poll_read(cx, buffer),
            Bytes::Tls(tls) => Pin::new(tls).poll_read(cx, buffer),
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.get_mut().bytes {
            Bytes::Plain(tcp) => Pin::new(tcp).poll_write(cx, bytes),
            Bytes::Tls(tls) => Pin::new(tls).poll_write(cx, bytes),
        }
    }

    fn is_write_vectored(&self) -> bool {
        false
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().bytes {
            Bytes::Plain(tcp) => Pin::new(tcp).poll_flush(cx),
            Bytes::Tls(tls) => Pin::new(tls).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().bytes {
            Bytes::Plain(tcp) => Pin::new(tcp).poll_shutdown(cx),
            Bytes::Tls(tls) => Pin::new(tls).poll_shutdown(cx),
        }
    }
}
