//! The client with which the service asks others, with no rule yet of where it may go.

use reqwest::{Client, ClientBuilder, redirect::Policy};

/// A client that speaks TLS (rustls, against the machine's roots), follows no redirect, and uses no proxy that nobody
/// named: texts and tokens go where the operator says, and nowhere else.
pub fn client() -> ClientBuilder {
    // An error means that one is installed already.
    drop(rustls::crypto::ring::default_provider().install_default());
    Client::builder().redirect(Policy::none()).no_proxy()
}
