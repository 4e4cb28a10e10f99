//! Whatever the service asks of others: one client, and one rule of where it may go.
//!
//! [`Outgoing::send`] takes a [`Request`] to an address that a tenant wrote, and answers within a deadline with an
//! [`Answer`] of bounded size, or a [`Fault`]. Names are resolved here, and the addresses that are connected to are
//! those that were checked ([`Reach`]); redirects are followed within the same origin only, for headers hold secrets.
//! Calls that may be repeated are, and a peer that keeps failing is left alone for a while.
//!
//! [`client`] is what it is built on, for addresses that the operator wrote.

mod answer;
mod breaker;
mod client;
mod fault;
mod networks;
mod outgoing;
mod peers;
mod reach;
mod request;
mod resolver;
mod retries;
mod under;

pub use answer::Answer;
pub use client::client;
pub use fault::{Fault, Refusal};
pub use outgoing::Outgoing;
pub use reach::Reach;
pub use request::Request;
pub use under::under;
