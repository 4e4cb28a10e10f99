//! guardengine: the AI guardrail firewall, one self-hosted service.

pub mod app;
mod audit;
mod auth;
mod autonomous;
mod bootstrap;
pub mod cli;
pub mod clock;
mod compliance;
pub mod config;
mod connectors;
mod data_dir;
mod figures;
pub mod guard;
pub mod http;
mod journal;
mod membership;
mod outcomes;
pub mod router;
mod routes;
pub mod service;
mod templates;
mod tickets;
mod upkeep;
pub mod vault;
