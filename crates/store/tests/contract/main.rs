//! Every method, on SQLite always and on PostgreSQL when `GUARDENGINE_TEST_POSTGRES` names one.

#![expect(
    clippy::disallowed_methods,
    reason = "tests spawn what they race, and months are made by the clock"
)]

mod api_keys;
mod audit;
mod audited_changes;
mod challenges;
mod connectors;
mod copy;
mod credit_laws;
mod credits;
mod databases;
mod encrypted;
mod event_delivery;
mod events;
mod figures;
mod journal;
mod lockouts;
mod log_becomes_months;
mod log_export;
mod log_months;
mod logs;
mod orgs_and_users;
mod policies;
mod pre_auth;
mod projects;
mod refresh;
mod replay;
mod reviews;
mod roles;
mod schema;
mod session_laws;
mod sessions;
mod settings;
mod tickets;
mod trust;
mod vault;
mod world;
