//! The log: lists, single entries and the stream.

mod entry;
mod export;
pub mod list;
pub mod stream;
