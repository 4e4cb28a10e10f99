//! Endpoints, one file for each: request, response, handler. `router.rs` has a line for each.

pub mod alerts;
pub mod api_keys;
pub mod audit;
pub mod auth;
pub mod autonomous;
pub mod connectors;
mod csv;
pub mod dashboard;
pub mod engine;
pub mod evaluation;
pub mod events;
pub mod guard;
pub mod guardrails;
pub mod invitations;
pub mod jobs;
pub mod logs;
pub mod ops;
pub mod organization;
pub mod policies;
pub mod projects;
pub mod reviews;
pub mod roles;
pub mod tickets;
pub mod usage;
pub mod users;
pub mod views;
