//! The caller's organization, its credits, and the list of permissions.

pub mod credits;
pub mod get;
pub mod permissions;
pub mod update;
