//! Connectors.

pub mod create;
pub mod delete;
pub mod get;
pub mod list;
pub mod openapi;
pub mod response;
pub mod test;
pub mod tools;
pub mod types;
pub mod update;
