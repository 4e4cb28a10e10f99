//! Webhook subscriptions to events.

pub mod create;
pub mod delete;
pub mod get;
pub mod list;
pub mod replay;
mod request;
pub mod response;
pub mod update;
