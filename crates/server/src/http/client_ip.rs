//! The client address behind trusted proxies.

use std::net::{IpAddr, SocketAddr};

use axum::{
    extract::{ConnectInfo, FromRequestParts, Request},
    http::{HeaderMap, request::Parts},
};
use ipnet::IpNet;

use super::Error;

const FORWARDED: &str = "forwarded";
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The client address, for routes without an authenticated caller.
#[derive(Clone, Copy, Debug)]
pub struct ClientIp(pub IpAddr);

impl<S: Sync> FromRequestParts<S> for ClientIp {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        // Set by admission.
        let known = parts.extensions.get::<Self>().copied();
        known.ok_or_else(|| Error::internal("a route without admission asks for the client's address"))
    }
}

/// Returns the nearest address that is not a trusted proxy.
pub fn client(request: &Request, trusted: &[IpNet]) -> IpAddr {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::from([0, 0, 0, 0]), |info| info.0.ip().to_canonical());
    forwarded(request.headers(), peer, trusted)
}

// Each proxy appends the address it saw: read from the end, and only through trusted proxies.
fn forwarded(headers: &HeaderMap, peer: IpAddr, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
    let mut nearest = peer;
    for node in listed(headers).into_iter().rev() {
        if !is_trusted(nearest) {
            break;
        }
        let Some(address) = node.as_deref().and_then(address_of_node) else { break };
        nearest = address;
    }
    nearest
}

/// Returns the nodes that proxies listed, `None` for an element without one. `Forwarded` counts only without
/// `X-Forwarded-For`: proxies that do not know it let clients write it.
fn listed(headers: &HeaderMap) -> Vec<Option<String>> {
    let values = |name: &str| {
        let values = headers.get_all(name).iter();
        values.map(|value| value.to_str().unwrap_or_default()).collect::<Vec<_>>()
    };
    if headers.contains_key(FORWARDED_FOR) {
        let nodes = values(FORWARDED_FOR).into_iter().flat_map(|value| value.split(','));
        return nodes.map(|node| Some(node.trim().to_owned())).collect();
    }
    values(FORWARDED).into_iter().flat_map(|value| split(value, ',')).map(for_parameter).collect()
}

/// Returns the `for` parameter of an element of `Forwarded` (RFC 7239, section 4).
fn for_parameter(element: &str) -> Option<String> {
    let pairs = split(element, ';').into_iter().filter_map(|pair| pair.split_once('='));
    let mut values =
        pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("for")).map(|(_, value)| value);
    Some(unquote(values.next()?.trim()))
}

/// Splits a list outside of its quoted strings (RFC 9110, section 5.6.4). A string without an end has no effect: a client
/// could hide in it what the proxy appends.
fn split(list: &str, separator: char) -> Vec<&str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let split = list.split(|character| {
        let was_escaped = is_escaped;
        is_escaped = is_quoted && !was_escaped && character == '\\';
        is_quoted ^= character == '"' && !was_escaped;
        character == separator && !is_quoted
    });
    let parts = split.collect();
    if is_quoted { list.split(separator).collect() } else { parts }
}

fn unquote(value: &str) -> String {
    let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    quoted.map_or_else(|| value.to_owned(), |quoted| quoted.replace('\\', ""))
}

/// Returns the address of `address`, `address:port`, `[v6]` or `[v6]:port`; `None` for names such as `unknown`.
fn address_of_node(node: &str) -> Option<IpAddr> {
    let address = match node.strip_prefix('[') {
        Some(bracketed) => {
            let (address, port) = bracketed.split_once(']')?;
            let is_valid = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
            IpAddr::V6(address.parse().ok().filter(|_| is_valid)?)
        }
        None => match node.split_once(':') {
            Some((address, port)) if is_port(port) => IpAddr::V4(address.parse().ok()?),
            _ => node.parse().ok()?,
        },
    };
    Some(address.to_canonical())
}

/// Returns true for a number, or a name that a proxy gives a port (RFC 7239, section 6.2).
fn is_port(port: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || ['.', '_', '-'].contains(&c))
    };
    port.strip_prefix('_').map_or_else(|| port.parse::<u16>().is_ok(), is_name)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;
    use proptest::prelude::*;

    use super::*;

    fn resolved(headers: &[(&str, &str)], peer: &str, trusted: &[&str]) -> String {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
        }
        let trusted: Vec<IpNet> = trusted.iter().map(|network| network.parse().unwrap()).collect();
        forwarded(&map, peer.parse().unwrap(), &trusted).to_string()
    }

    fn seen(list: &str, peer: &str, trusted: &[&str]) -> String {
        resolved(&[("x-forwarded-for", list)], peer, trusted)
    }

    fn behind_proxy(name: &str, value: &str) -> String {
        resolved(&[(name, value)], "10.0.0.1", &["10.0.0.0/8"])
    }

    #[test]
    fn a_header_counts_only_from_a_trusted_proxy() {
        assert_eq!(seen("203.0.113.9", "198.51.100.1", &[]), "198.51.100.1");
        assert_eq!(seen("203.0.113.9", "10.0.0.1", &["10.0.0.0/8"]), "203.0.113.9");
        assert_eq!(resolved(&[("forwarded", "for=203.0.113.9")], "198.51.100.1", &[]), "198.51.100.1");
    }

    #[test]
    fn ignores_addresses_that_the_client_wrote() {
        assert_eq!(seen("6.6.6.6, 203.0.113.9, 10.0.0.2", "10.0.0.1", &["10.0.0.0/8"]), "203.0.113.9");
        assert_eq!(seen("nonsense", "10.0.0.1", &["10.0.0.0/8"]), "10.0.0.1");
        assert_eq!(seen("203.0.113.9, nonsense", "10.0.0.1", &["10.0.0.0/8"]), "10.0.0.1");
        let both = [("forwarded", "for=6.6.6.6"), ("x-forwarded-for", "203.0.113.9")];
        assert_eq!(resolved(&both, "10.0.0.1", &["10.0.0.0/8"]), "203.0.113.9");
    }

    #[test]
    fn reads_addresses_with_ports_and_brackets() {
        for (node, address) in [
            ("203.0.113.3", "203.0.113.3"),
            ("203.0.113.3:50211", "203.0.113.3"),
            ("2001:db8::7", "2001:db8::7"),
            ("[2001:db8::7]", "2001:db8::7"),
            ("[2001:db8::7]:50211", "2001:db8::7"),
            ("::ffff:203.0.113.3", "203.0.113.3"),
            ("[::ffff:203.0.113.3]:1", "203.0.113.3"),
        ] {
            assert_eq!(behind_proxy("x-forwarded-for", node), address);
            assert_eq!(behind_proxy("forwarded", &format!("proto=https;For=\"{node}\"")), address);
        }
        for node in [
            "",
            "unknown",
            "_hidden",
            "203.0.113.3:",
            "203.0.113.3:70000",
            "[203.0.113.3]",
            "[2001:db8::7",
            "[2001:db8::7]x",
        ] {
            assert_eq!(behind_proxy("x-forwarded-for", node), "10.0.0.1", "{node}");
            assert_eq!(behind_proxy("forwarded", &format!("for=\"{node}\"")), "10.0.0.1", "{node}");
        }
    }

    #[test]
    fn reads_forwarded_from_its_last_element() {
        for (value, address) in [
            ("for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60"),
            ("for=6.6.6.6, for=192.0.2.60;host=\"a,b;c\", for=10.0.0.2", "192.0.2.60"),
            ("for=192.0.2.60:_port", "192.0.2.60"),
            ("by=10.0.0.9;FOR=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
            ("for=\"192.0.2.\\60\"", "192.0.2.60"),
            ("for=192.0.2.60, proto=https", "10.0.0.1"),
            ("for=192.0.2.60, for=unknown", "10.0.0.1"),
        ] {
            assert_eq!(behind_proxy("forwarded", value), address, "{value}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn only_the_last_element_names_the_client_of_a_single_proxy(spoofed in "[ -~]{0,60}") {
            let spoofed_list = format!("{spoofed}, 192.0.2.60");
            prop_assert_eq!(behind_proxy("x-forwarded-for", &spoofed_list), "192.0.2.60");
            for appended in ["for=192.0.2.60", "for=\"192.0.2.60:1\";by=\"[::1]\""] {
                prop_assert_eq!(behind_proxy("forwarded", &format!("{spoofed}, {appended}")), "192.0.2.60");
            }
        }
    }
}
