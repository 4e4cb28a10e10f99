//! The log of judged requests.

mod cells;
pub mod export;
pub mod facets;
pub mod filter;
pub mod get;
mod labelled;
pub mod list;
pub mod mark;
pub mod record;
pub mod reveal;
mod search;
pub mod stream;
