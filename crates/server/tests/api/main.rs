//! The service as its clients meet it: over HTTP, one module a path.

mod api_audit;
mod api_dashboard;
mod api_keys;
mod api_logs;
mod api_logs_stream;
mod api_policy;
mod api_project;
mod bad_input;
mod conventions;
mod limits;
mod login;
mod logout;
mod operations;
mod refresh;
mod select_org;
mod service;
mod token;
