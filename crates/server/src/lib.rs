//! guardengine: the AI guardrail firewall, one self-hosted service.

pub mod app;
mod audit;
mod auth;
mod autonomous;
mod backoff;
mod bootstrap;
pub mod cli;
pub mod clock;
mod compliance;
pub mod config;
mod connectors;
mod console;
mod counters;
mod data_dir;
mod drafts;
mod events;
mod figures;
pub mod guard;
pub mod http;
mod journal;
mod llm;
#[cfg_attr(
    not(any(feature = "kafka", feature = "nats")),
    expect(dead_code, unreachable_code, unused_variables, reason = "nothing is exported without a destination")
)]
mod log_export;
mod media;
mod membership;
mod operating;
mod outcomes;
mod reasoning;
pub mod router;
mod routes;
pub mod service;
mod standby;
mod streams;
mod templates;
mod tickets;
mod upkeep;
pub mod vault;
