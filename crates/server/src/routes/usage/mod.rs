//! Usage by project, API key, end user, application or operation.

mod csv;
pub mod get;
mod response;
