//! Whom a broker's certificate has to come from.

use std::{path::PathBuf, sync::Arc};

use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject as _},
};
use tokio::task::spawn_blocking;

use crate::log_export::error::Error;

/// Held against the authorities of a file, or against the machine's.
pub async fn config(ca_file: Option<PathBuf>) -> Result<ClientConfig, Error> {
    let told = |why: String| Error::Unreachable(format!("log_export.kafka.ca_file: {why}"));
    // Files are read.
    let authorities = spawn_blocking(move || authorities(ca_file)).await;
    let authorities = authorities.map_err(|fault| told(fault.to_string()))?.map_err(told)?;
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().map_err(|fault| told(fault.to_string()))?;
    Ok(builder.with_root_certificates(authorities).with_no_client_auth())
}

fn authorities(ca_file: Option<PathBuf>) -> Result<RootCertStore, String> {
    let certificates = match ca_file {
        Some(file) => CertificateDer::pem_file_iter(file)
            .and_then(Iterator::collect)
            .map_err(|fault| fault.to_string())?,
        None => rustls_native_certs::load_native_certs().certs,
    };
    let mut authorities = RootCertStore::empty();
    authorities.add_parsable_certificates(certificates);
    if authorities.is_empty() { Err("no certificate of an authority".to_owned()) } else { Ok(authorities) }
}
