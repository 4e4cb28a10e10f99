//! Where a call may go.

use std::net::IpAddr;

use reqwest::Url;

use crate::{
    Blocked,
    special_networks::{NetworkClass, classify},
};

/// How far calls may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NetworkPolicy {
    /// Over TLS to global addresses only.
    #[default]
    Internet,
    /// Also without TLS, to loopback and private networks (`outgoing.allow_private`). Metadata of machines, link-local
    /// and multicast addresses stay out of reach: no connector means them.
    Private,
}

impl NetworkPolicy {
    /// Checks an address as it is written: its scheme, that it holds no credentials, and its host where that is an
    /// address and no name. Names are checked when they are resolved.
    pub fn url(self, written: &str) -> Result<Url, Blocked> {
        let url = Url::parse(written.trim()).map_err(|_| Blocked::NotAnAddress)?;
        match (url.scheme(), self) {
            ("https", _) | ("http", Self::Private) => {}
            ("http", Self::Internet) => return Err(Blocked::NotEncrypted),
            _ => return Err(Blocked::Scheme),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Blocked::Credentials);
        }
        if let Some(address) = url.host_str().and_then(literal) {
            self.address(address)?;
        }
        Ok(url)
    }

    /// Whether an address may be connected to.
    pub fn address(self, address: IpAddr) -> Result<(), Blocked> {
        match (classify(address), self) {
            (NetworkClass::Global, _) | (NetworkClass::Private(_), Self::Private) => Ok(()),
            (NetworkClass::Private(network) | NetworkClass::Special(network), _) => {
                Err(Blocked::Network(network))
            }
        }
    }
}

/// A host that is an address: `Url` has written it the one way already, whatever `0x7f.1` was sent.
fn literal(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(reach: NetworkPolicy, written: &str) -> String {
        reach.url(written).map_or_else(|refusal| refusal.to_string(), |url| url.to_string())
    }

    #[test]
    fn addresses_are_refused_for_what_they_are() {
        for (written, why) in [
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
            let told = told(NetworkPolicy::Internet, written);
            assert_eq!(told, format!("the address leads to {why}, which is not allowed"), "{written}");
        }
    }

    #[test]
    fn schemes_and_credentials_are_checked() {
        for (written, why) in [
            ("http://example.com/", Blocked::NotEncrypted),
            ("file:///etc/passwd", Blocked::Scheme),
            ("gopher://example.com/", Blocked::Scheme),
            ("https://me:hunter2@example.com/", Blocked::Credentials),
            ("example.com", Blocked::NotAnAddress),
            ("https://", Blocked::NotAnAddress),
        ] {
            assert_eq!(NetworkPolicy::Internet.url(written), Err(why), "{written}");
        }
        assert_eq!(
            told(NetworkPolicy::Internet, " https://example.com:8443/a "),
            "https://example.com:8443/a"
        );
    }

    #[test]
    fn private_networks_are_within_reach_when_allowed_and_metadata_never_is() {
        for written in
            ["http://127.0.0.1:8080/", "https://10.1.2.3/", "http://[fd00::1]/", "http://localhost/"]
        {
            assert!(NetworkPolicy::Private.url(written).is_ok(), "{written}");
        }
        for written in
            ["http://169.254.169.254/", "http://[fd00:ec2::254]/", "http://0.0.0.0/", "ftp://10.0.0.1/"]
        {
            assert!(NetworkPolicy::Private.url(written).is_err(), "{written}");
        }
    }
}
