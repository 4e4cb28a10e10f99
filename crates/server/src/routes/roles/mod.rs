//! The organisation's roles: the built-in ones, and its own from the catalogue of permissions.

mod built_in;
pub mod create;
pub mod delete;
mod fields;
pub mod get;
pub mod list;
mod record;
pub mod update;
