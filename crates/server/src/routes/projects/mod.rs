//! Projects.

pub mod create;
pub mod delete;
pub mod get;
pub mod list;
pub mod members;
pub mod response;
pub mod update;
