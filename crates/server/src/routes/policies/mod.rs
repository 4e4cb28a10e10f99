//! Policies.

pub mod create;
pub mod default;
pub mod get;
pub mod list;
pub mod record;
