//! Tickets: incidents that decisions create in the ticket systems of an organization.
//!
//! The tickets of a decision are [planned](plan_tickets) and stored in its transaction. Replicas claim and send them
//! in the background, at least once; before a repeated attempt they search the system for an earlier one. Similar incidents
//! within a time window become comments on the first ticket.

mod attempt;
mod content;
mod plan;
mod providers;
mod template;
mod variables;
mod worker;

pub use plan::{Deduplication, addressed, connector, plan_tickets};
pub use providers::foreign_to;
pub use template::Template;
pub(crate) use worker::Tickets;
