//! Tickets in external systems.

pub mod get;
pub mod list;
pub mod response;
pub mod retry;
