//! The base HTTP client, without a network policy.

use reqwest::{Client, ClientBuilder, redirect::Policy};

use crate::authorities::without_authorities;

/// Returns a builder for a client that uses rustls with the system's certificate authorities, follows no redirects and
/// ignores proxy settings of the environment, so that texts and tokens reach the configured address only.
pub fn client() -> ClientBuilder {
    // Fails only if a provider is installed already.
    drop(rustls::crypto::ring::default_provider().install_default());
    let client = Client::builder().redirect(Policy::none()).no_proxy();
    match without_authorities() {
        Some(tls) => client.tls_backend_preconfigured(tls),
        None => client,
    }
}
