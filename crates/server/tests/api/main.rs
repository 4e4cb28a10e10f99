//! The service as its clients meet it: over HTTP, one module a path.

mod access;
mod api_credits;
mod api_keys;
mod api_organization;
mod api_policy;
mod api_project;
mod api_project_members;
mod api_roles;
mod api_users;
mod bad_input;
mod conventions;
mod limits;
mod login;
mod logout;
mod operations;
mod own_limits;
mod refresh;
mod select_org;
mod service;
mod session_laws;
mod signing_keys;
mod token;
