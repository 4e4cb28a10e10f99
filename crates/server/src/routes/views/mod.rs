//! Saved views of the log.

pub mod create;
pub mod delete;
pub mod list;
pub mod request;
pub mod response;
pub mod update;
