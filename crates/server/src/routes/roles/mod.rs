//! The organisation's roles: the built-in ones, and its own from the catalogue of permissions.

mod built_in;
pub mod create;
pub mod delete;
pub mod get;
pub mod list;
mod request;
mod response;
pub mod update;
