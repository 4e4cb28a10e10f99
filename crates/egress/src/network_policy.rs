//! Networks that outgoing calls may reach.

use std::net::IpAddr;

use reqwest::Url;

use crate::{
    Blocked,
    special_networks::{NetworkClass, classify},
};

/// Networks that outgoing calls may reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NetworkPolicy {
    /// Global addresses over TLS only.
    #[default]
    Internet,
    /// Also loopback and private networks, and plain http (`outgoing.allow_private`). Instance metadata, link-local and
    /// multicast addresses stay blocked, because no connector needs them.
    Private,
}

impl NetworkPolicy {
    /// Parses a URL and checks its scheme, that it contains no credentials, and its host if that is an IP address. Host
    /// names are checked when they are resolved.
    pub fn url(self, text: &str) -> Result<Url, Blocked> {
        let url = Url::parse(text.trim()).map_err(|_| Blocked::NotAnAddress)?;
        match (url.scheme(), self) {
            ("https", _) | ("http", Self::Private) => {}
            ("http", Self::Internet) => return Err(Blocked::NotEncrypted),
            _ => return Err(Blocked::Scheme),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Blocked::Credentials);
        }
        if let Some(address) = url.host_str().and_then(ip_literal) {
            self.address(address)?;
        }
        Ok(url)
    }

    /// Checks an IP address.
    pub fn address(self, address: IpAddr) -> Result<(), Blocked> {
        match (classify(address), self) {
            (NetworkClass::Global, _) | (NetworkClass::Private(_), Self::Private) => Ok(()),
            (NetworkClass::Private(network) | NetworkClass::Special(network), _) => {
                Err(Blocked::Network(network))
            }
        }
    }
}

/// Parses a host that is an IP address. `Url` has already normalized spellings such as `0x7f.1`.
fn ip_literal(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Returns scheme, host and port of an address, in one spelling. `None` if it is no address.
pub fn origin(address: &str) -> Option<String> {
    Url::parse(address).ok().map(|url| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(policy: NetworkPolicy, url: &str) -> String {
        policy.url(url).map_or_else(|blocked| blocked.to_string(), |url| url.to_string())
    }

    #[test]
    fn blocks_special_networks_by_name() {
        for (url, network) in [
            ("https://127.0.0.1/", "this machine itself"),
            ("https://0x7f.1/", "this machine itself"),
            ("https://2130706433/", "this machine itself"),
            ("https://0177.0.0.1/", "this machine itself"),
            ("https://[::ffff:10.0.0.1]/", "a private network"),
            ("https://[64:ff9b::a9fe:a9fe]/", "a machine's own metadata"),
            ("https://169.254.169.254/latest/", "a machine's own metadata"),
            ("https://[fd00:ec2::254]/", "a machine's own metadata"),
            ("https://0.0.0.0/", "a reserved network"),
            ("https://１２７.0.0.1/", "this machine itself"),
        ] {
            let expected = format!("the address leads to {network}, which is not allowed");
            assert_eq!(outcome(NetworkPolicy::Internet, url), expected, "{url}");
        }
    }

    #[test]
    fn checks_schemes_and_credentials() {
        for (url, reason) in [
            ("http://example.com/", Blocked::NotEncrypted),
            ("file:///etc/passwd", Blocked::Scheme),
            ("gopher://example.com/", Blocked::Scheme),
            ("https://me:hunter2@example.com/", Blocked::Credentials),
            ("example.com", Blocked::NotAnAddress),
            ("https://", Blocked::NotAnAddress),
        ] {
            assert_eq!(NetworkPolicy::Internet.url(url), Err(reason), "{url}");
        }
        assert_eq!(
            outcome(NetworkPolicy::Internet, " https://example.com:8443/a "),
            "https://example.com:8443/a"
        );
    }

    #[test]
    fn allows_private_networks_on_request_but_never_metadata() {
        for url in ["http://127.0.0.1:8080/", "https://10.1.2.3/", "http://[fd00::1]/", "http://localhost/"] {
            assert!(NetworkPolicy::Private.url(url).is_ok(), "{url}");
        }
        for url in
            ["http://169.254.169.254/", "http://[fd00:ec2::254]/", "http://0.0.0.0/", "ftp://10.0.0.1/"]
        {
            assert!(NetworkPolicy::Private.url(url).is_err(), "{url}");
        }
    }
}
