//! The log of judged requests.

mod cells;
pub mod export;
pub mod filter;
pub mod get;
pub mod list;
pub mod record;
mod search;
pub mod stream;
