//! The audit trail.

pub mod list;
