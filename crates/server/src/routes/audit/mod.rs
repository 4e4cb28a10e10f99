//! The audit trail.

pub mod list;
pub mod verify;
