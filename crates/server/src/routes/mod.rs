//! One endpoint a file: request, response, handler. `router.rs` has a line for each.

pub mod api_keys;
pub mod guard;
pub mod guardrails;
pub mod policies;
pub mod projects;
pub mod sessions;
pub mod system;
