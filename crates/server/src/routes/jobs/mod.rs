//! Jobs: calls that are evaluated in the background.

pub mod audio;
pub mod get;
pub mod list;
pub mod response;
