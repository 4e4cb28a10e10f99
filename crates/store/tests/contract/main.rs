//! Tests of every operation, on SQLite and, if `GUARDENGINE_TEST_POSTGRES` is set, on PostgreSQL.

#![expect(
    clippy::disallowed_methods,
    reason = "tests spawn what they race, and months are made by the clock"
)]

mod alerts;
mod api_keys;
mod audit;
mod audit_key;
mod audited_changes;
mod challenges;
mod commit;
mod connectors;
mod copy;
mod credit_properties;
mod credits;
mod dashboard;
mod evaluation;
mod event_delivery;
mod events;
mod fixtures;
mod gateway_migration;
mod invitations;
mod jobs;
mod key_scope_migration;
mod log_conditions;
mod log_export;
mod log_partition_migration;
mod log_partitions;
mod log_views;
mod login_attempts;
mod logs;
mod mcp_tools;
mod names;
mod open;
mod orgs_and_users;
mod pii_tokens;
mod policies;
mod postgres_tls;
mod pre_auth_tokens;
mod projects;
mod refresh_tokens;
mod replay;
mod reviews;
mod roles;
mod schema;
mod session_properties;
mod sessions;
mod signing_keys;
mod tickets;
mod trust;
mod usage;
mod user_id_migration;
