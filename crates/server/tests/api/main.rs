//! Tests of the service over HTTP, with a folder or file for each resource.

#![expect(clippy::too_many_lines, reason = "snapshots of whole responses are long")]

mod alerts;
mod api_keys;
mod audit;
mod auth;
mod autonomous;
mod base_path;
mod clock;
mod connectors;
mod console;
mod dashboard;
mod evaluation;
mod events;
mod guard;
mod guardrails;
mod http;
mod invitations;
#[cfg(feature = "media")]
mod jobs;
mod key_scopes;
mod logs;
mod names;
mod ops;
mod organization;
mod policies;
mod projects;
mod reviews;
mod roles;
mod support;
mod surfaces;
mod tickets;
mod usage;
mod users;
mod views;
