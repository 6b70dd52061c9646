//! The addresses that may be called: globally reachable ones, by IANA's registries of
//! special-purpose addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 blocks that are private, shared, local, reserved, for documentation or multicast.
const RESERVED_V4: [([u8; 4], u32); 16] = [
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 31, 196, 0], 24),
    ([192, 52, 193, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    // Multicast, reserved addresses and the broadcast.
    ([224, 0, 0, 0], 3),
];

/// The global unicast addresses of IPv6, and the blocks among them that are reserved or tunneled:
/// protocols such as Teredo, documentation, 6to4.
const GLOBAL_V6: ([u16; 8], u32) = ([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);
const RESERVED_V6: [([u16; 8], u32); 4] = [
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23),
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32),
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16),
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20),
];

/// The prefix (NAT64) with which an IPv6-only network reaches IPv4 addresses.
const TRANSLATED: [u16; 6] = [0x64, 0xff9b, 0, 0, 0, 0];

/// Whether an address is public. An IPv4 address embedded in an IPv6 address is judged as an IPv4
/// address.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => {
            let embedded = address.to_ipv4_mapped().or_else(|| translated(address));
            embedded.map_or_else(|| is_public_v6(address), is_public_v4)
        }
    }
}

fn translated(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [.., a, b, c, d] = address.octets();
    address.segments().starts_with(&TRANSLATED).then(|| Ipv4Addr::new(a, b, c, d))
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let is_in = |(block, bits): ([u8; 4], u32)| {
        (address.to_bits() ^ Ipv4Addr::from(block).to_bits()).leading_zeros() >= bits
    };
    !RESERVED_V4.into_iter().any(is_in)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let is_in = |(block, bits): ([u16; 8], u32)| {
        (address.to_bits() ^ Ipv6Addr::from(block).to_bits()).leading_zeros() >= bits
    };
    is_in(GLOBAL_V6) && !RESERVED_V6.into_iter().any(is_in)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_public_network_are_public() {
        let public =
            ["1.1.1.1", "100.63.255.255", "172.32.0.1", "223.255.255.255", "9.255.255.255"];
        let public_v6 = ["2606:4700::1111", "2001:4860:4860::8888", "::ffff:1.1.1.1"];
        for address in public.into_iter().chain(public_v6).chain(["64:ff9b::1.1.1.1"]) {
            assert!(is_public(address.parse().expect("an address")), "{address}");
        }
        let private = [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.255.255",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.19.0.1",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.1.1.1",
            "240.0.0.1",
            "255.255.255.255",
        ];
        for address in private {
            assert!(!is_public(address.parse().expect("an address")), "{address}");
            for prefix in ["::ffff:", "64:ff9b::", "::"] {
                let within = format!("{prefix}{address}");
                assert!(!is_public(within.parse().expect("an address")), "{within}");
            }
        }
        let private = [
            "::",
            "::1",
            "fe80::1",
            "fec0::1",
            "fc00::1",
            "fd12:3456::1",
            "ff02::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2001::1",
            "3fff::1",
            "100::1",
            "64:ff9b:1::1",
            "::1.1.1.1",
        ];
        for address in private {
            assert!(!is_public(address.parse().expect("an address")), "{address}");
        }
    }
}
