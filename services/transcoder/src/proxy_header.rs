//! The header with which a load balancer of connections names the client: version 2 of the PROXY
//! protocol (<https://www.haproxy.org/download/3.2/doc/proxy-protocol.txt>).

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::io::{AsyncRead, AsyncReadExt};

const SIGNATURE: [u8; 12] = *b"\r\n\r\n\0\r\nQUIT\n";

/// Version 2, and what the connection is for.
const OF_BALANCER: u8 = 0x20;
const OF_CLIENT: u8 = 0x21;

/// TCP over IPv4 and IPv6.
const TCP_4: u8 = 0x11;
const TCP_6: u8 = 0x21;

/// The longest rest of a header, in bytes. Beside the addresses it has what else a balancer tells,
/// a few hundred bytes, which is skipped.
const REST_MAX: usize = 4096;

/// Reads the header at the beginning of a connection, and nothing after it. Returns the client's
/// address; `None` if the balancer speaks for itself, or of a client without such an address. Fails
/// if there is no such header.
pub async fn read_proxy_header(
    connection: &mut (impl AsyncRead + Unpin),
) -> io::Result<Option<SocketAddr>> {
    let mut head = [0; 16];
    connection.read_exact(&mut head).await?;
    let [.., command, family, high, low] = head;
    if head[..12] != SIGNATURE {
        return Err(invalid("it is missing"));
    }
    let length = usize::from(u16::from_be_bytes([high, low]));
    if length > REST_MAX {
        return Err(invalid("it is too long"));
    }
    let mut rest = vec![0; length];
    connection.read_exact(&mut rest).await?;
    match (command, family) {
        (OF_BALANCER, _) => Ok(None),
        (OF_CLIENT, TCP_4) => client(&rest, |it: [u8; 4]| Ipv4Addr::from(it).into()),
        (OF_CLIENT, TCP_6) => client(&rest, |it: [u8; 16]| Ipv6Addr::from(it).into()),
        (OF_CLIENT, _) => Ok(None),
        _ => Err(invalid("its version or command is unknown")),
    }
}

/// The source of two addresses and their ports.
fn client<const N: usize>(
    rest: &[u8],
    address: impl Fn([u8; N]) -> IpAddr,
) -> io::Result<Option<SocketAddr>> {
    let too_short = || invalid("it is too short");
    let (source, after) = rest.split_first_chunk::<N>().ok_or_else(too_short)?;
    let (_, after) = after.split_first_chunk::<N>().ok_or_else(too_short)?;
    let (ports, _) = after.split_first_chunk::<4>().ok_or_else(too_short)?;
    let port = u16::from_be_bytes([ports[0], ports[1]]);
    Ok(Some(SocketAddr::new(address(*source).to_canonical(), port)))
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("the PROXY header cannot be used: {why}"))
}

#[cfg(test)]
mod tests {
    use bolero::check;

    use super::*;

    fn header(command: u8, family: u8, rest: &[u8]) -> Vec<u8> {
        let length = u16::try_from(rest.len()).expect("it is short").to_be_bytes();
        [&SIGNATURE[..], &[command, family], &length, rest].concat()
    }

    /// The client, and what follows the header.
    async fn read(bytes: &[u8]) -> io::Result<(Option<SocketAddr>, Vec<u8>)> {
        let mut left = bytes;
        let client = read_proxy_header(&mut left).await?;
        Ok((client, left.to_vec()))
    }

    const FOUR: [u8; 12] = [203, 0, 113, 9, 10, 0, 0, 1, 0x12, 0x67, 0, 80];

    #[tokio::test]
    async fn a_header_names_the_client_and_nothing_after_it_is_read() {
        let request = b"GET / HTTP/1.1\r\n";
        let client = "203.0.113.9:4711".parse().ok();
        let told = read(&[&header(0x21, 0x11, &FOUR)[..], request].concat()).await;
        assert_eq!(told.expect("it is one"), (client, request.to_vec()));
        // With what else the balancer tells.
        let more = [&FOUR[..], &[4, 0, 3, 1, 2, 3]].concat();
        let told = read(&[&header(0x21, 0x11, &more)[..], request].concat()).await;
        assert_eq!(told.expect("it is one"), (client, request.to_vec()));
        let mut six = [0; 36];
        six[..16].copy_from_slice(&"2a00::7".parse::<Ipv6Addr>().expect("an address").octets());
        six[32..34].copy_from_slice(&4711_u16.to_be_bytes());
        let told = read(&header(0x21, 0x21, &six)).await.expect("it is one");
        assert_eq!(told, ("[2a00::7]:4711".parse().ok(), Vec::new()));
        // A check of the balancer, a socket of a file system.
        for (command, family, rest) in
            [(0x20, 0, &[][..]), (0x20, 0x11, &FOUR[..]), (0x21, 0x31, &[7; 216][..])]
        {
            let told = read(&header(command, family, rest)).await.expect("it is one");
            assert_eq!(told, (None, Vec::new()));
        }
    }

    #[tokio::test]
    async fn anything_else_is_refused() {
        let whole = header(0x21, 0x11, &FOUR);
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).await.is_err(), "{length} bytes of it");
        }
        let mut other = whole.clone();
        other[3] = b'x';
        let long = header(0x21, 0x11, &[0; REST_MAX + 1]);
        let short = header(0x21, 0x21, &FOUR);
        let [first, unknown] = [0x11, 0x22].map(|command| header(command, 0x11, &FOUR));
        let text = b"PROXY TCP4 203.0.113.9 10.0.0.1 4711 80\r\n".to_vec();
        for bytes in [other, long, short, first, unknown, text, vec![0; 64]] {
            let error = read(&bytes).await.expect_err("it is no header");
            assert_eq!(error.kind(), ErrorKind::InvalidData);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        check!().with_type::<(u8, u8, Vec<u8>)>().for_each(|(command, family, rest)| {
            let rest = &rest[..rest.len().min(REST_MAX)];
            let _ = runtime.block_on(read(&header(*command, *family, rest)));
        });
    }
}
