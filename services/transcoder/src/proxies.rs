//! The address of the client behind trusted proxies.
//!
//! A proxy appends the address that it sees to a header, and whatever stands before came with the
//! request. So the header is read from its end, and the first address counts that is of no trusted
//! proxy: it was written by one. Headers from anybody else mean nothing.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use http::{HeaderMap, HeaderName, header::FORWARDED};

/// The proxies that are trusted to name the addresses of their clients.
#[derive(Clone, Debug, Default)]
pub struct Proxies {
    pub networks: Vec<Network>,
    pub header: ClientHeader,
}

/// The header in which the proxies name their clients. Only this one is read: a proxy passes the
/// other one on as the client sent it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientHeader {
    #[default]
    XForwardedFor,
    /// As RFC 7239 defines it.
    Forwarded,
}

/// The addresses that begin with the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    first: u128,
    bits: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a network is an address, or one with a number of bits, such as 10.0.0.0/8")]
pub struct NoNetwork;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The number of addresses that are read at most: no request passes through more proxies.
const HOPS_MAX: usize = 32;

impl Proxies {
    pub fn trust(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(address))
    }

    /// The address of the client whose request came from `peer`.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.trust(peer) {
            return peer;
        }
        let mut client = peer;
        for named in self.named(headers).into_iter().rev().take(HOPS_MAX) {
            // The proxy does not tell who was there, so it is the last one who is known.
            let Some(address) = named else { break };
            client = address;
            if !self.trust(address) {
                break;
            }
        }
        client
    }

    /// The addresses that the header names, in order; `None` for what is no address.
    fn named(&self, headers: &HeaderMap) -> Vec<Option<IpAddr>> {
        let name = match self.header {
            ClientHeader::XForwardedFor => &X_FORWARDED_FOR,
            ClientHeader::Forwarded => &FORWARDED,
        };
        let mut named = Vec::new();
        for value in headers.get_all(name) {
            match (value.to_str(), self.header) {
                (Err(_), _) => named.push(None),
                (Ok(value), ClientHeader::XForwardedFor) => {
                    named.extend(value.split(',').map(|it| node(it.trim())));
                }
                (Ok(value), ClientHeader::Forwarded) => {
                    named.extend(parts(value, ',').into_iter().map(forwarded_for));
                }
            }
        }
        named
    }
}

/// The address of an element of `Forwarded`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut pairs = parts(element, ';').into_iter().filter_map(|pair| pair.split_once('='));
    let (_, node_of) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    let node_of = node_of.trim();
    let quoted = node_of.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    node(quoted.unwrap_or(node_of))
}

/// An address, with or without a port. An address of IPv6 with a port has brackets, and may have
/// them without one.
fn node(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse::<SocketAddr>().ok().map(|it| it.ip());
    let in_brackets = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok();
    let address = text.parse().ok().or_else(with_port).or_else(|| in_brackets().map(IpAddr::V6));
    address.map(|it: IpAddr| it.to_canonical())
}

/// Splits a text where a sign stands outside of quotes.
fn parts(text: &str, sign: char) -> Vec<&str> {
    let (mut parts, mut begin, mut is_quoted, mut is_escaped) = (Vec::new(), 0, false, false);
    for (at, it) in text.char_indices() {
        match it {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if it == sign && !is_quoted => {
                parts.push(text[begin..at].trim());
                begin = at + sign.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[begin..].trim());
    parts
}

impl Network {
    pub fn contains(&self, address: IpAddr) -> bool {
        self.bits == 0 || (number(address) ^ self.first) >> (128 - self.bits) == 0
    }
}

impl FromStr for Network {
    type Err = NoNetwork;

    fn from_str(text: &str) -> Result<Network, NoNetwork> {
        let (address, bits) = match text.split_once('/') {
            None => (text, None),
            Some((address, bits)) => (address, Some(bits.parse::<u8>().map_err(|_| NoNetwork)?)),
        };
        let address: IpAddr = address.parse().map_err(|_| NoNetwork)?;
        let length = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(length, u32::from);
        if bits > length {
            return Err(NoNetwork);
        }
        let (first, bits) = (number(address), bits + 128 - length);
        // A network has no bits of an address in it.
        let rest = if bits == 0 { first } else { first.checked_shl(bits).unwrap_or(0) };
        if rest == 0 { Ok(Network { first, bits }) } else { Err(NoNetwork) }
    }
}

/// An address as a number. Those of IPv4 are among those of IPv6.
fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use bolero::check;

    use super::*;

    fn proxies(header: ClientHeader) -> Proxies {
        let networks = ["10.0.0.0/8", "192.0.2.1", "2001:db8::/32"];
        let networks = networks.map(|it| it.parse().expect("a network"));
        Proxies { networks: networks.into(), header }
    }

    fn client(proxies: &Proxies, peer: &str, lines: &[(&'static str, &str)]) -> String {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, value.parse().expect("a header"));
        }
        proxies.client(peer.parse().expect("an address"), &headers).to_string()
    }

    #[test]
    fn networks_are_read_strictly() {
        let contains = |network: &str, address: &str| {
            let network: Network = network.parse().expect("a network");
            network.contains(address.parse().expect("an address"))
        };
        assert!(contains("10.0.0.0/8", "10.255.0.1") && !contains("10.0.0.0/8", "11.0.0.1"));
        assert!(contains("10.0.0.0/8", "::ffff:10.1.1.1"));
        assert!(contains("127.0.0.1", "127.0.0.1") && !contains("127.0.0.1", "127.0.0.2"));
        assert!(contains("0.0.0.0/0", "8.8.8.8") && !contains("0.0.0.0/0", "2001:db8::1"));
        assert!(contains("::/0", "8.8.8.8") && contains("::/0", "2001:db8::1"));
        assert!(contains("fd00::/8", "fd12::1") && !contains("fd00::/8", "fe80::1"));
        for text in ["", "10.0.0.0/33", "10.0.0.1/8", "::/129", "a", "10.0.0.0/", "1.2.3.4/-1"] {
            assert_eq!(text.parse::<Network>(), Err(NoNetwork), "{text}");
        }
    }

    #[test]
    fn the_last_address_that_is_no_proxys_is_the_clients() {
        let it = proxies(ClientHeader::XForwardedFor);
        let client = |peer, lines: &[&str]| {
            let lines: Vec<_> = lines.iter().map(|it| ("x-forwarded-for", *it)).collect();
            client(&it, peer, &lines)
        };
        assert_eq!(client("10.0.0.1", &["203.0.113.9"]), "203.0.113.9");
        // What stands before it, the client may have written.
        assert_eq!(client("10.0.0.1", &["1.1.1.1, 203.0.113.9, 10.0.0.7"]), "203.0.113.9");
        assert_eq!(client("10.0.0.1", &["1.1.1.1", "203.0.113.9", "192.0.2.1"]), "203.0.113.9");
        // From anybody else it means nothing.
        assert_eq!(client("203.0.113.9", &["1.1.1.1"]), "203.0.113.9");
        assert_eq!(client("10.0.0.1", &[]), "10.0.0.1");
        assert_eq!(client("10.0.0.1", &["10.0.0.2, 10.0.0.3"]), "10.0.0.2");
        assert_eq!(client("10.0.0.1", &["203.0.113.9:4711"]), "203.0.113.9");
        assert_eq!(client("2001:db8::1", &["[2a00::7]:80"]), "2a00::7");
        assert_eq!(client("::ffff:10.0.0.1", &["::ffff:203.0.113.9"]), "203.0.113.9");
        // Behind what cannot be read, nobody is known.
        assert_eq!(client("10.0.0.1", &["203.0.113.9, unknown, 10.0.0.2"]), "10.0.0.2");
        assert_eq!(client("10.0.0.1", &["203.0.113.9,"]), "10.0.0.1");
        // The other header is the client's.
        let lines = [("forwarded", "for=1.1.1.1"), ("x-forwarded-for", "203.0.113.9")];
        assert_eq!(super::tests::client(&it, "10.0.0.1", &lines), "203.0.113.9");
    }

    #[test]
    fn forwarded_is_read_as_rfc_7239_defines_it() {
        let it = proxies(ClientHeader::Forwarded);
        let client = |value| client(&it, "10.0.0.1", &[("forwarded", value)]);
        assert_eq!(client("for=203.0.113.9"), "203.0.113.9");
        assert_eq!(client("For=\"[2a00::7]:4711\";proto=https"), "2a00::7");
        assert_eq!(client("for=1.1.1.1, by=10.0.0.1; for=\"203.0.113.9:80\""), "203.0.113.9");
        assert_eq!(client("for=203.0.113.9;host=\"a,for=1.1.1.1\", for=10.0.0.2"), "203.0.113.9");
        assert_eq!(client("for=203.0.113.9, for=_hidden, for=10.0.0.2"), "10.0.0.2");
        assert_eq!(client("for=unknown"), "10.0.0.1");
        assert_eq!(client("proto=https"), "10.0.0.1");
    }

    #[test]
    fn any_header_is_read() {
        let both = [ClientHeader::XForwardedFor, ClientHeader::Forwarded].map(proxies);
        check!().with_type::<Vec<u8>>().for_each(|bytes| {
            let Ok(value) = http::HeaderValue::from_bytes(bytes) else { return };
            let mut headers = HeaderMap::new();
            headers.append("x-forwarded-for", value.clone());
            headers.append("forwarded", value);
            for it in &both {
                let peer = "203.0.113.9".parse().expect("an address");
                assert_eq!(it.client(peer, &headers), peer, "nobody trusts it");
                it.client("10.0.0.1".parse().expect("an address"), &headers);
            }
        });
    }
}
