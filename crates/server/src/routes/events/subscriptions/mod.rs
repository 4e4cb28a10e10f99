//! Webhooks that are told of events.

pub mod create;
pub mod delete;
mod fields;
pub mod get;
pub mod list;
mod record;
pub mod replay;
pub mod update;
