//! Events: what happened, for whoever asks, follows, or is told over a webhook.
//!
//! An event is written in the transaction of what it tells of ([`told`]), so that none is there without the other. Webhooks
//! are told [in the background](deliver), in order, each by one replica at a time.

mod deliver;
mod event;
mod payloads;
mod review_expiry;
mod types;
mod worker;

pub use event::Event;
pub use payloads::{of_connector, of_decision, of_ruling};
pub use review_expiry::emit_expired;
pub use types::{KINDS, choices};
pub use worker::deliver;
