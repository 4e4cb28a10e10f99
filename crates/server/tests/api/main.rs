//! The service as its clients meet it: over HTTP, one module a path.

mod api_guardrails;
mod api_keys;
mod api_policy;
mod api_policy_compliance;
mod api_policy_replay;
mod api_policy_test;
mod api_policy_versions;
mod api_project;
mod api_project_members;
mod bad_input;
mod conventions;
mod limits;
mod login;
mod logout;
mod operations;
mod refresh;
mod select_org;
mod service;
mod shadow;
mod token;
