//! guardengine: the AI guardrail firewall, one self-hosted service.

pub mod app;
mod audit;
mod auth;
mod bootstrap;
pub mod cli;
pub mod clock;
pub mod config;
mod figures;
pub mod guard;
pub mod http;
mod journal;
mod outcomes;
pub mod router;
mod routes;
pub mod service;
mod upkeep;
pub mod vault;
