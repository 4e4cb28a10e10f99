//! Projects.

pub mod create;
pub mod get;
pub mod list;
pub mod record;
