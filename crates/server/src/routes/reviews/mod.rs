//! Reviews of escalated requests.

pub mod decide;
pub mod get;
pub mod list;
pub mod response;
