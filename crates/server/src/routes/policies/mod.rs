//! Policies.

pub mod create;
pub mod list;
pub mod get;
pub mod default;
pub mod record;
