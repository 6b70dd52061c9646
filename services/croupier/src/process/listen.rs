//! Opening ports.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use tokio::net::TcpListener;

#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {reason}", reason = reason(.source))]
pub struct Error {
    address: SocketAddr,
    source: io::Error,
}

pub async fn listen(address: SocketAddr) -> Result<TcpListener, Error> {
    TcpListener::bind(address).await.map_err(|source| Error { address, source })
}

fn reason(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::AddrInUse => "another process listens there; is Croupier already running?",
        ErrorKind::PermissionDenied => "this user is not allowed to",
        ErrorKind::AddrNotAvailable => "this machine does not have that address",
        _ => "the system refuses",
    }
}
