//! The client address behind trusted proxies.

use std::net::{IpAddr, SocketAddr};

use axum::{
    extract::{ConnectInfo, FromRequestParts, Request},
    http::{HeaderMap, request::Parts},
};
use ipnet::IpNet;

use super::Error;

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
    let listed: Vec<&str> = headers
        .get_all(FORWARDED_FOR)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    let mut nearest = peer;
    for written in listed.iter().rev() {
        let Ok(address) = written.trim().parse::<IpAddr>() else { break };
        if !is_trusted(nearest) {
            break;
        }
        nearest = address.to_canonical();
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(list: &str, peer: &str, trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(FORWARDED_FOR, list.parse().unwrap());
        let trusted: Vec<IpNet> = trusted.iter().map(|network| network.parse().unwrap()).collect();
        forwarded(&headers, peer.parse().unwrap(), &trusted).to_string()
    }

    #[test]
    fn a_header_counts_only_from_a_trusted_proxy() {
        assert_eq!(seen("203.0.113.9", "198.51.100.1", &[]), "198.51.100.1");
        assert_eq!(seen("203.0.113.9", "10.0.0.1", &["10.0.0.0/8"]), "203.0.113.9");
    }

    #[test]
    fn ignores_addresses_that_the_client_wrote() {
        assert_eq!(seen("6.6.6.6, 203.0.113.9, 10.0.0.2", "10.0.0.1", &["10.0.0.0/8"]), "203.0.113.9");
        assert_eq!(seen("nonsense", "10.0.0.1", &["10.0.0.0/8"]), "10.0.0.1");
    }
}
