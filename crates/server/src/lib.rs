//! guardengine: the AI guardrail firewall, one self-hosted service.

pub mod app;
mod auth;
pub mod clock;
pub mod config;
pub mod guard;
pub mod http;
mod journal;
pub mod router;
mod routes;
pub mod vault;
