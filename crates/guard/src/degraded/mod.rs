//! Degraded mode: serves guard requests while the database is unavailable.
//!
//! Guard calls of projects with `on_store_failure: spool` continue: they use the policies in the [`ContextCache`], and
//! their decisions wait on the local disk in the [`Spool`] until the database is back.

mod context_cache;
mod spool;

pub use context_cache::ContextCache;
pub use spool::{Spool, SpoolError};
