//! Webhooks: events sent to the addresses of webhook connectors, signed as Standard Webhooks describe.
//!
//! Events are delivered in the background, in order, each from one replica at a time.

mod batch;
mod sign;
mod worker;

pub use sign::{message, signed, with_body};
pub(crate) use worker::Subscriptions;
