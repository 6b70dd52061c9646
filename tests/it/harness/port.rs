//! Ports where nobody listens.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::TcpSocket;

/// A port of this machine that refuses connections as long as this is kept. A port that was merely
/// free a moment ago may be another test's by now.
pub struct ClosedPort {
    socket: TcpSocket,
}

impl ClosedPort {
    pub fn any() -> ClosedPort {
        ClosedPort::at(0)
    }

    /// This port, where somebody listened until now.
    pub fn at(port: u16) -> ClosedPort {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_reuseaddr(true).expect("it is new");
        socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).expect("a port");
        ClosedPort { socket }
    }

    pub fn port(&self) -> u16 {
        self.socket.local_addr().expect("it is bound").port()
    }
}
