//! The certificate authorities of the system. Without any, a client can still be built, and TLS connections fail with an
//! error that names what is missing.

use std::sync::{Arc, LazyLock};

use rustls::{
    ClientConfig, DigitallySignedStruct, Error, OtherError, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, ServerName, UnixTime},
};

static ARE_MISSING: LazyLock<bool> = LazyLock::new(|| {
    let are_missing = rustls_native_certs::load_native_certs().certs.is_empty();
    if are_missing {
        tracing::warn!("{Missing}; calls that need TLS fail until then");
    }
    are_missing
});

/// The system has no certificate authorities.
#[derive(Debug, thiserror::Error)]
#[error(
    "the system has no certificate authorities: install the package ca-certificates and restart the service"
)]
struct Missing;

/// Returns the configuration of clients on a system without authorities; `None` if it has some. Reads them once, and logs
/// a warning if there are none.
pub fn without_authorities() -> Option<ClientConfig> {
    if !*ARE_MISSING {
        return None;
    }
    let provider = Arc::new(ring::default_provider());
    let verifier = Arc::new(RefuseAll(Arc::clone(&provider)));
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().ok()?;
    Some(config.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth())
}

/// Refuses every certificate.
#[derive(Debug)]
struct RefuseAll(Arc<CryptoProvider>);

impl RefuseAll {
    fn refusal() -> Error {
        Error::Other(OtherError(Arc::new(Missing)))
    }
}

impl ServerCertVerifier for RefuseAll {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Err(Self::refusal())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Self::refusal())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Self::refusal())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_names_the_package() {
        assert!(RefuseAll::refusal().to_string().contains("ca-certificates"), "{}", RefuseAll::refusal());
    }
}
