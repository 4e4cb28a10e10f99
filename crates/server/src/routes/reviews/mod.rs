//! What waits for a reviewer.

pub mod decide;
pub mod get;
pub mod list;
pub mod response;
