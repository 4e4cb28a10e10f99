//! Events: what happened, for whoever asks, follows, or is told over a webhook.
//!
//! An event is written in the transaction of what it tells of ([`told`]), so that none is there without the other. Webhooks
//! are told [in the background](deliver), in order, each by one replica at a time.

mod delivery;
mod expiries;
mod kinds;
mod record;
mod told;
mod worker;

pub use expiries::tell_expiries;
pub use kinds::{KINDS, choices};
pub use record::EventRecord;
pub use told::{of_connector, of_decision, of_ruling};
pub use worker::deliver;
