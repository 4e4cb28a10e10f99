//! The log: one entry for every evaluated text, and ways to read, search and export it.

pub(crate) mod details;
pub(crate) mod entries;
mod export_cursor;
mod facets;
mod filter;
pub(crate) mod packed_rows;
mod partitions;
mod search;
mod tail;
mod visibility;

pub use details::LogDetail;
pub use entries::Log;
pub use export_cursor::{ExportLag, LogSize, Unexported};
pub use facets::LogTraits;
pub use filter::LogFilter;
pub use tail::NumberedLog;
pub use visibility::LogReader;
