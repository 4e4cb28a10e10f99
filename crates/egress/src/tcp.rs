//! Connections of other protocols than HTTP to addresses that tenants configure: the same network policy, and TLS by the
//! authorities of the system.

use std::{io, sync::Arc};

use rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::ServerName};
use tokio::net::{TcpStream, lookup_host};
use tokio_rustls::{TlsConnector, client::TlsStream};

use crate::{Error, NetworkPolicy, authorities, resolver::allowed};

impl NetworkPolicy {
    /// Opens a connection to a host, at one of its addresses that the policy allows.
    pub async fn connect(self, host: &str, port: u16) -> Result<TcpStream, Error> {
        let unreachable = |error: io::Error| Error::Unreachable(error.to_string());
        let resolved = lookup_host((host, port)).await.map_err(unreachable)?.collect();
        TcpStream::connect(&allowed(self, resolved)?[..]).await.map_err(unreachable)
    }
}

/// Begins TLS on a connection. The certificate must be one of `host`, by an authority of the system.
pub async fn with_tls(stream: TcpStream, host: &str) -> Result<TlsStream<TcpStream>, Error> {
    let name = ServerName::try_from(host.to_owned());
    let name = name.map_err(|error| Error::Unreachable(error.to_string()))?;
    let connecting = TlsConnector::from(Arc::new(tls_config()?)).connect(name, stream);
    connecting.await.map_err(|error| Error::Unreachable(error.to_string()))
}

fn tls_config() -> Result<ClientConfig, Error> {
    if let Some(config) = authorities::without_authorities() {
        return Ok(config);
    }
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| Error::Unreachable(error.to_string()))?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_address_that_the_policy_blocks_is_not_connected_to() {
        let refused = NetworkPolicy::Internet.connect("127.0.0.1", 25).await.unwrap_err();
        assert_eq!(
            refused.to_string(),
            "not sent: the address leads to this machine itself, which is not allowed"
        );
        let refused = NetworkPolicy::Private.connect("169.254.169.254", 25).await.unwrap_err();
        assert!(matches!(refused, Error::Blocked(_)), "{refused}");
    }
}
