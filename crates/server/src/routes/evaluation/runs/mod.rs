//! Runs: started, listed, read, compared, canceled and deleted.

pub mod cancel;
pub mod comparison;
pub mod delete;
pub mod get;
pub mod list;
pub mod start;
pub mod sweep;
pub mod wrong;
