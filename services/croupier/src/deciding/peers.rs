//! Options of peers: which process writes the entries of all processes on one database.

use std::net::SocketAddr;

use event_log::append::Listening;

use crate::process::listen::{self, listen};

/// Whether and where this process accepts drafts of other processes.
#[derive(Debug, clap::Args)]
pub struct Peering {
    /// The address on which this process accepts entries of other processes on the same database,
    /// to write them together with its own; port 0 means any free port
    ///
    /// Only processes that can read the database can connect there, and the connection is
    /// encrypted. Processes on several machines need an address that the other machines reach.
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "CROUPIER_PEER_LISTEN",
        default_value = "127.0.0.1:0"
    )]
    peer_listen: SocketAddr,

    /// The address under which the others reach this one, as HOST or HOST:PORT [default: the same]
    #[arg(long, value_name = "HOST", env = "CROUPIER_PEER_ADDRESS")]
    peer_address: Option<String>,

    /// Write all of this process's entries itself, even if others write to the same database
    #[arg(long, env = "CROUPIER_WITHOUT_PEERS")]
    without_peers: bool,
}

/// Which process writes the drafts of a process.
pub enum Peers {
    /// The process itself.
    None,
    /// The preferred writer, which is another process.
    PassOn,
    /// The preferred writer, which may be the process itself.
    Listen(Listening),
}

impl Peering {
    pub async fn listen(&self) -> Result<Peers, listen::Error> {
        if self.without_peers {
            return Ok(Peers::None);
        }
        let listener = listen(self.peer_listen).await?;
        let bound = listener.local_addr().expect("the listener is bound");
        let address = match &self.peer_address {
            Some(host) => with_port(host, bound.port()),
            None => bound.to_string(),
        };
        if self.peer_address.is_none() && bound.ip().is_unspecified() {
            tracing::warn!(
                "other machines are not told how to reach the address for peers: use \
                 --peer-address"
            );
        }
        Ok(Peers::Listen(Listening { listener, address }))
    }
}

/// The address of a host, which may already include a port.
fn with_port(host: &str, port: u16) -> String {
    let is_ipv6 = host.parse::<std::net::Ipv6Addr>().is_ok();
    match host.rsplit_once(':') {
        _ if is_ipv6 => format!("[{host}]:{port}"),
        Some((_, number)) if number.parse::<u16>().is_ok() => host.to_owned(),
        _ => format!("{host}:{port}"),
    }
}

#[cfg(test)]
mod tests {
    use super::with_port;

    #[test]
    fn a_host_without_a_port_gets_the_listeners() {
        for (host, address) in [
            ("ten.example", "ten.example:77"),
            ("ten.example:9", "ten.example:9"),
            ("10.0.0.1", "10.0.0.1:77"),
            ("2001:db8::1", "[2001:db8::1]:77"),
            ("[2001:db8::1]", "[2001:db8::1]:77"),
            ("[2001:db8::1]:9", "[2001:db8::1]:9"),
        ] {
            assert_eq!(with_port(host, 77), address);
        }
    }
}
