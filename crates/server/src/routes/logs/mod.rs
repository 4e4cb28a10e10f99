//! The log of evaluated requests.

mod conditions;
mod csv;
pub mod export;
mod export_labelled;
pub mod facets;
pub mod feedback;
pub mod filter;
pub mod get;
pub mod histogram;
pub mod list;
pub mod reveal;
mod search;
pub mod stream;
