//! The caller's organization, its credits and their usage, and the list of permissions.

pub mod credits;
pub mod get;
pub mod permissions;
mod prices;
pub mod update;
pub mod usage;
