//! Connections to checked addresses.
//!
//! A name is resolved once per connection, and only the checked addresses are connected to: a
//! second resolution could return others.
//!
//! See `docs/decisions/0047-endpoints-are-strangers.md`.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::future::BoxFuture;
use http::Uri;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpStream, lookup_host};
use tokio::time::{Instant, timeout_at};

use crate::is_public;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Connector {
    pub allow_private: bool,
    /// The longest duration of resolving and connecting.
    pub wait: Duration,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConnectError {
    #[error("the name leads to an address that is not public: {0}")]
    Private(IpAddr),
    #[error("the name cannot be resolved")]
    Unknown(#[source] io::Error),
    #[error("no connection")]
    Refused(#[source] io::Error),
    #[error("no connection in time")]
    TooSlow,
}

impl Connector {
    /// The addresses of a host, all of which may be called.
    async fn resolve(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, ConnectError> {
        // URLs put IPv6 addresses in brackets.
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let found = lookup_host((host, port)).await.map_err(ConnectError::Unknown)?;
        let found: Vec<SocketAddr> = found.collect();
        match found.iter().find(|it| !self.allow_private && !is_public(it.ip())) {
            Some(private) => Err(ConnectError::Private(private.ip())),
            None => Ok(found),
        }
    }

    async fn connect(self, uri: Uri) -> Result<TokioIo<TcpStream>, ConnectError> {
        let end = Instant::now() + self.wait;
        let host = uri.host().unwrap_or_default();
        let usual = if uri.scheme_str() == Some("http") { 80 } else { 443 };
        let resolving = self.resolve(host, uri.port_u16().unwrap_or(usual));
        let addresses = timeout_at(end, resolving).await.map_err(|_| ConnectError::TooSlow)??;
        let mut last = ConnectError::Unknown(io::ErrorKind::NotFound.into());
        for address in addresses {
            match timeout_at(end, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => {
                    // A failure only costs latency.
                    let _ = stream.set_nodelay(true);
                    return Ok(TokioIo::new(stream));
                }
                Ok(Err(error)) => last = ConnectError::Refused(error),
                Err(_) => return Err(ConnectError::TooSlow),
            }
        }
        Err(last)
    }
}

impl tower_service::Service<Uri> for Connector {
    type Response = TokioIo<TcpStream>;
    type Error = ConnectError;
    type Future = BoxFuture<'static, Result<Self::Response, ConnectError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), ConnectError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        Pin::from(Box::new(self.connect(uri)))
    }
}
