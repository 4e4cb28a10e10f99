//! Users of the organization.

pub mod create;
pub mod delete;
pub mod get;
pub mod list;
pub mod me;
mod response;
pub mod role_rules;
pub mod sessions;
pub mod update;
