//! The log: one entry for every evaluated text, and ways to read, search and export it.

mod conditions;
pub(crate) mod details;
pub(crate) mod entries;
mod export_cursor;
mod facets;
mod filter;
pub(crate) mod packed_rows;
mod partitions;
mod scores;
mod search;
mod tail;
mod views;
mod visibility;

pub use conditions::{LogCondition, LogField};
pub use details::LogEntryDetails;
pub use entries::LogEntry;
pub use export_cursor::{ExportBacklog, ExportLag, LogSize};
pub use facets::FacetValues;
pub use filter::LogFilter;
pub(crate) use filter::guardrail_like;
pub use scores::LoggedScores;
pub use tail::SequencedLogEntry;
pub use views::LogView;
pub use visibility::LogScope;
