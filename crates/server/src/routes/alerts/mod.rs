//! Alert rules and their messages.

pub mod create;
pub mod delete;
pub mod deliveries;
pub mod get;
pub mod list;
mod request;
mod response;
pub mod test;
pub mod update;
