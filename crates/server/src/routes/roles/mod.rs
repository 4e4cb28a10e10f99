//! Roles of the organization, built-in and custom.

mod built_in;
pub mod create;
pub mod delete;
pub mod get;
pub mod list;
mod request;
mod response;
pub mod update;
