//! guardengine: the AI guardrail firewall, one self-hosted service.

// The nested futures of the log export exceed the default limit of 128 when the compiler computes their layout.
#![recursion_limit = "256"]

pub mod app;
mod audit;
mod auth;
mod autonomous;
mod backoff;
pub mod cli;
pub mod clock;
mod compliance;
pub mod config;
mod connectors;
mod console;
mod dashboard;
mod data_dir;
mod degraded;
mod doctor;
mod drafts;
mod events;
mod first_run;
pub mod guard;
pub mod http;
mod journal;
mod llm;
#[cfg_attr(
    not(any(feature = "kafka", feature = "nats")),
    expect(
        dead_code,
        unreachable_code,
        unused_variables,
        reason = "nothing is exported without a destination"
    )
)]
mod log_export;
mod maintenance;
mod measured_thresholds;
mod media;
mod outcome_counter;
mod project_access;
mod rate_limit;
mod reasoning;
#[cfg(test)]
mod reference;
pub mod router;
mod routes;
pub mod service;
mod streams;
mod templates;
mod tickets;
