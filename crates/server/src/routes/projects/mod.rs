//! Projects.

pub mod create;
pub mod list;
pub mod get;
pub mod record;
