//! Tickets: what a decision raises in the system where the people who look after it already work.
//!
//! A decision's tickets are [wanted] when it is kept, and stand in the store with its row or not at all. They are
//! [sent](send) in the background, each replica those that it claimed, at least once; every system is asked whether it has
//! one already before it is asked again. What is alike within a while comments on the ticket that is there.

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
pub use worker::send;
