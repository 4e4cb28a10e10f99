//! Events: the feed of decisions, reviews, credits and connectors, for polling, streaming and webhooks.
//!
//! An event is written in the same transaction as the change that it reports ([`payloads`]). Webhooks receive events
//! [in the background](deliver), in order, each from one replica at a time.

mod deliver;
mod event;
mod payloads;
mod review_expiry;
mod types;
mod worker;

pub use event::Event;
#[cfg(test)]
pub use payloads::{ConnectorPayload, DecisionPayload, ReviewPayload};
pub use payloads::{of_connector, of_decision, of_ruling};
pub use review_expiry::emit_expired;
pub use types::{KINDS, choices};
pub use worker::deliver;
