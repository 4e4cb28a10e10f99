//! guardengine: the AI guardrail firewall, one self-hosted service.

pub mod app;
pub mod audit_heads;
pub mod cli;
pub mod config;
mod console;
mod dashboard;
mod data_dir;
mod diff;
mod doctor;
mod evaluation;
mod first_run;
pub mod http;
pub mod maintenance;
mod policies;
mod preflight;
#[cfg(test)]
mod reference;
pub mod router;
mod routes;
mod schemas;
pub mod service;
mod service_log;
mod surfaces;
mod trace_export;
