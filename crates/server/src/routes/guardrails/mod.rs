//! Guardrails.

pub mod list;
