//! The log: lists, single entries and the stream.

mod entry;
pub mod list;
pub mod stream;
