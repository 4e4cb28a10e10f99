//! API keys.

pub mod create;
pub mod list;
pub mod revoke;
