//! Tickets in other systems.

pub mod get;
pub mod list;
pub mod record;
pub mod retry;
