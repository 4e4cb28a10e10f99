//! Classification of IP addresses: private, special or global.
//!
//! Sources: IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890), IANA IPv6 Address Space (only 2000::/3 is
//! global unicast); RFC 6052 and RFC 8215 (NAT64), RFC 3056 (6to4), RFC 4291 (mapped addresses); each cloud's
//! documentation for the address of its instance metadata.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::LazyLock,
};

use ipnet::IpNet;

/// Class of an IP address. The text describes the network in error messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NetworkClass {
    /// Local networks: loopback, private, carrier-grade NAT, unique-local, benchmarking.
    Private(&'static str),
    /// Never a valid destination: instance metadata, link-local, multicast, documentation, reserved.
    Special(&'static str),
    /// Every other address.
    Global,
}

use NetworkClass::{Global, Private, Special};

/// Networks and their classes. The first network that contains an address determines its class.
const NETWORKS: &[(&str, NetworkClass)] = &[
    ("169.254.169.254/32", METADATA),
    ("169.254.170.2/32", METADATA),   // AWS, tasks in containers
    ("169.254.170.23/32", METADATA),  // AWS, pods
    ("100.100.100.200/32", METADATA), // Alibaba
    ("168.63.129.16/32", METADATA),   // Azure
    ("192.0.0.192/32", METADATA),     // Oracle
    ("fd00:ec2::/32", METADATA),      // AWS: 254, and 23 for pods
    ("fd20:ce::254/128", METADATA),   // Google
    ("127.0.0.0/8", LOOPBACK),
    ("::1/128", LOOPBACK),
    ("10.0.0.0/8", Private("a private network")),
    ("172.16.0.0/12", Private("a private network")),
    ("192.168.0.0/16", Private("a private network")),
    ("100.64.0.0/10", Private("a network behind a carrier's NAT")),
    ("198.18.0.0/15", Private("a network for benchmarks")),
    ("fc00::/7", Private("a unique-local network")),
    ("169.254.0.0/16", LINK_LOCAL),
    ("fe80::/10", LINK_LOCAL),
    ("224.0.0.0/4", MULTICAST),
    ("ff00::/8", MULTICAST),
    ("192.0.2.0/24", DOCUMENTATION),
    ("198.51.100.0/24", DOCUMENTATION),
    ("203.0.113.0/24", DOCUMENTATION),
    ("2001:db8::/32", DOCUMENTATION),
    ("3fff::/20", DOCUMENTATION),
    ("0.0.0.0/8", RESERVED),
    ("192.0.0.0/24", RESERVED),
    ("192.88.99.0/24", RESERVED), // relays of 6to4
    ("240.0.0.0/4", RESERVED),
    ("2001::/23", RESERVED), // protocol assignments, Teredo among them
    ("0.0.0.0/0", Global),
    ("2000::/3", Global),
    ("::/0", RESERVED),
];

const METADATA: NetworkClass = Special("a machine's own metadata");
const LOOPBACK: NetworkClass = Private("this machine itself");
const LINK_LOCAL: NetworkClass = Special("a link-local network");
const MULTICAST: NetworkClass = Special("a multicast group");
const DOCUMENTATION: NetworkClass = Special("a network for documentation");
const RESERVED: NetworkClass = Special("a reserved network");

static PARSED: LazyLock<Vec<(IpNet, NetworkClass)>> = LazyLock::new(|| {
    let parsed = |(network, class): &(&str, NetworkClass)| Some((network.parse().ok()?, *class));
    NETWORKS.iter().filter_map(parsed).collect()
});

/// Returns the class of `address`. An IPv6 address that embeds an IPv4 address has the class of that address.
pub(crate) fn classify(address: IpAddr) -> NetworkClass {
    let address = embedded_ipv4(address);
    let holds = |(network, _): &&(IpNet, NetworkClass)| network.contains(&address);
    PARSED.iter().find(holds).map_or(RESERVED, |(_, class)| *class)
}

/// Returns the IPv4 address embedded in a mapped, NAT64 or 6to4 address; other addresses unchanged.
fn embedded_ipv4(address: IpAddr) -> IpAddr {
    let IpAddr::V6(ipv6) = address else { return address };
    let embedded = match ipv6.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => Some((high, low)),
        _ => None,
    };
    embedded.map_or(address, |halves| IpAddr::V4(join_halves(halves)))
}

fn join_halves((high, low): (u16, u16)) -> Ipv4Addr {
    Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use proptest::prelude::*;

    use super::*;

    fn is_global(address: &str) -> bool {
        classify(address.parse().unwrap()) == Global
    }

    #[test]
    fn every_network_parses() {
        assert_eq!(PARSED.len(), NETWORKS.len());
    }

    #[test]
    fn network_boundaries_match_the_registries() {
        for outside in [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "128.0.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2000::",
            "2001:200::",
            "2606:4700::1111",
            "3ffe::",
            "64:ff9b::8.8.8.8",
            "::ffff:8.8.8.8",
        ] {
            assert!(is_global(outside), "{outside}");
        }
        for inside in [
            "0.0.0.0",
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "127.255.255.255",
            "169.254.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.88.99.1",
            "198.19.255.255",
            "224.0.0.1",
            "240.0.0.0",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "3fff::1",
            "4000::",
            "5f00::1",
            "fc00::1",
            "fdff::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_global(inside), "{inside}");
        }
    }

    #[test]
    fn metadata_addresses_differ_from_the_networks_around_them() {
        for address in
            ["169.254.169.254", "fd00:ec2::254", "fd20:ce::254", "168.63.129.16", "100.100.100.200"]
        {
            assert_eq!(classify(address.parse().unwrap()), METADATA, "{address}");
        }
    }

    proptest! {
        #[test]
        fn an_ipv4_address_has_the_same_class_in_every_ipv6_form(bits: u32, rest: u64) {
            let ipv4 = Ipv4Addr::from_bits(bits);
            let expected = classify(ipv4.into());
            let mapped = ipv4.to_ipv6_mapped();
            let translated = Ipv6Addr::from_bits(0x64_ff9b << 96 | u128::from(bits));
            let tunnelled = Ipv6Addr::from_bits(0x2002 << 112 | u128::from(bits) << 80 | u128::from(rest));
            for ipv6 in [mapped, translated, tunnelled] {
                prop_assert_eq!(classify(ipv6.into()), expected, "{}", ipv6);
            }
        }

        #[test]
        fn an_address_that_std_calls_special_is_never_global(bits: u32) {
            let ipv4 = Ipv4Addr::from_bits(bits);
            let special = ipv4.is_private() || ipv4.is_loopback() || ipv4.is_link_local() || ipv4.is_multicast()
                || ipv4.is_broadcast() || ipv4.is_documentation() || ipv4.is_unspecified();
            prop_assert!(!special || classify(ipv4.into()) != Global, "{}", ipv4);
        }

        #[test]
        fn only_global_unicast_is_global(bits: u128) {
            let ipv6 = Ipv6Addr::from_bits(bits);
            let embeds_ipv4 = embedded_ipv4(ipv6.into()).is_ipv4();
            prop_assert!(embeds_ipv4 || classify(ipv6.into()) != Global || bits >> 125 == 1, "{}", ipv6);
        }

        #[test]
        fn every_address_of_a_network_has_its_class(index in 0..30_usize, bits: u128) {
            let (network, class) = PARSED[index];
            let address = match network {
                IpNet::V4(net) => IpAddr::V4(Ipv4Addr::from_bits(net.network().to_bits() | bits as u32 & net.hostmask().to_bits())),
                IpNet::V6(net) => IpAddr::V6(Ipv6Addr::from_bits(net.network().to_bits() | bits & net.hostmask().to_bits())),
            };
            prop_assert!(classify(address) == class || classify(address) == METADATA, "{}", address);
        }
    }
}
