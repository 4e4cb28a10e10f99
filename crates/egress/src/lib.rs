//! Outgoing HTTP calls: one client and one network policy for every address that tenants configure.
//!
//! [`EgressClient::send`] makes a [`Request`] and returns a [`Response`] of bounded size, or an [`Error`], within a
//! deadline; [`EgressClient::open`] returns an [`OpenResponse`], whose body is read as it arrives. The client resolves names itself and connects only to addresses that the [`NetworkPolicy`] allows. Redirects must
//! stay within the same origin, because headers contain secrets. Repeatable calls are retried, and a circuit breaker
//! pauses calls to a destination that keeps failing.
//!
//! [`client()`] is the base client without a policy, for addresses that the operator configures.

mod authorities;
pub mod backoff;
mod circuit_breaker;
mod client;
mod destinations;
mod error;
mod http_client;
mod join_path;
mod network_policy;
mod open_response;
mod request;
mod resolver;
mod response;
mod retry;
mod special_networks;
mod tcp;

pub use client::EgressClient;
pub use error::{Blocked, Error};
pub use http_client::client;
pub use join_path::join_path;
pub use network_policy::{NetworkPolicy, origin};
pub use open_response::OpenResponse;
pub use request::Request;
pub use reqwest::header::HeaderMap;
pub use response::Response;
pub use tcp::with_tls;
