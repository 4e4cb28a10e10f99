//! Autonomous decisions.

pub mod analyze;
pub mod challenge;
pub mod review;
