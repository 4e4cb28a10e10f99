//! Policies.

pub mod compliance;
pub mod create;
pub mod default;
pub mod delete;
pub mod dry_run;
pub mod generate;
pub mod get;
pub mod list;
pub mod patch;
pub mod replay;
mod replay_run;
pub mod response;
pub mod templates;
mod tickets;
pub mod update;
pub mod versions;
