//! The log: lists, single entries and the stream.

mod conditions;
mod entry;
mod export;
mod histogram;
pub mod list;
pub mod stream;
