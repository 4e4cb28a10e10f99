//! The caller's organization, its credits, and the list of permissions.

pub mod credits;
pub mod get;
pub mod permissions;
mod prices;
pub mod update;
