//! The caller's organisation: what it is, what it may spend, what roles can hold.

pub mod credits;
pub mod get;
pub mod permissions;
