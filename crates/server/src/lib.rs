//! guardengine: the AI guardrail firewall, one self-hosted service.

pub mod app;
mod audit;
mod auth;
mod bootstrap;
pub mod cli;
pub mod clock;
mod compliance;
pub mod config;
mod data_dir;
pub mod guard;
pub mod http;
mod journal;
mod membership;
pub mod router;
mod routes;
pub mod service;
mod templates;
pub mod vault;
