//! TLS configuration for Kafka brokers.

use std::{path::PathBuf, sync::Arc};

use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject as _},
};
use tokio::task::spawn_blocking;

use crate::error::Error;

/// Builds a TLS configuration that trusts the certificate authorities of a file, or those of the system.
pub async fn config(ca_file: Option<PathBuf>) -> Result<ClientConfig, Error> {
    let failure = |why: String| Error::Unreachable(format!("log_export.kafka.ca_file: {why}"));
    // Reads files, so it must not run on the async threads.
    let authorities = spawn_blocking(move || authorities(ca_file)).await;
    let authorities = authorities.map_err(|error| failure(error.to_string()))?.map_err(failure)?;
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder =
        builder.with_safe_default_protocol_versions().map_err(|error| failure(error.to_string()))?;
    Ok(builder.with_root_certificates(authorities).with_no_client_auth())
}

fn authorities(ca_file: Option<PathBuf>) -> Result<RootCertStore, String> {
    let certificates = match ca_file {
        Some(file) => CertificateDer::pem_file_iter(file)
            .and_then(Iterator::collect)
            .map_err(|error| error.to_string())?,
        None => rustls_native_certs::load_native_certs().certs,
    };
    let mut authorities = RootCertStore::empty();
    authorities.add_parsable_certificates(certificates);
    if authorities.is_empty() { Err("no certificate authority found".to_owned()) } else { Ok(authorities) }
}
