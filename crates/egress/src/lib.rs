//! Whatever the service asks of others: one client, and one rule of where it may go.
//!
//! [`EgressClient::send`] takes a [`Request`] to an address that a tenant wrote, and answers within a deadline with an
//! [`Response`] of bounded size, or a [`Fault`]. Names are resolved here, and the addresses that are connected to are
//! those that were checked ([`NetworkPolicy`]); redirects are followed within the same origin only, for headers hold secrets.
//! Calls that may be repeated are, and a peer that keeps failing is left alone for a while.
//!
//! [`client`] is what it is built on, for addresses that the operator wrote.

mod circuit_breaker;
mod client;
mod destinations;
mod error;
mod http_client;
mod join_path;
mod network_policy;
mod request;
mod resolver;
mod response;
mod retry;
mod special_networks;

pub use client::EgressClient;
pub use error::{Blocked, Error};
pub use http_client::client;
pub use join_path::join_path;
pub use network_policy::NetworkPolicy;
pub use request::Request;
pub use response::Response;
