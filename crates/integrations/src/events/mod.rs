//! Events: the feed of decisions, reviews, credits and connectors.
//!
//! An event is written in the same transaction as the change that it reports (`payloads`).

mod payloads;
mod review_expiry;
mod types;

pub use payloads::{ConnectorPayload, DecisionPayload, ReviewPayload, of_connector, of_decision, of_ruling};
pub use review_expiry::emit_expired;
pub use types::{KINDS, choices};
