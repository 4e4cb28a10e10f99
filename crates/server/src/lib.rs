//! guardengine: the AI guardrail firewall, one self-hosted service.

pub mod app;
pub mod cli;
mod compliance;
pub mod config;
mod console;
mod dashboard;
mod data_dir;
mod diff;
mod doctor;
mod drafts;
mod first_run;
pub mod http;
pub mod maintenance;
mod measured_thresholds;
#[cfg(test)]
mod reference;
pub mod router;
mod routes;
pub mod service;
mod templates;
