//! The dashboard.

pub mod get;
