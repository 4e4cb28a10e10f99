//! The catalogue of guardrails.

pub mod list;
