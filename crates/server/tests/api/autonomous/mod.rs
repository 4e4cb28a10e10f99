//! Autonomous decisions and their challenges.

pub mod analyze;
mod challenge;
