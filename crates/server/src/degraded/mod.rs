//! Degraded mode: what works while the store is unavailable.
//!
//! [`StoreHealth`] probes the store twice a second, so that requests are refused at once instead of waiting. Guard calls
//! of projects with `on_store_failure: spool` continue: they use the policies in the [`ContextCache`], and their
//! decisions wait on the local disk in the [`Spool`] until the store is back.

mod context_cache;
pub mod spool;
mod store_health;

use std::sync::Arc;

use anyhow::{Context as _, Result};
use guardengine_store::Db;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::config::Settings;
pub use context_cache::ContextCache;
pub use spool::Spool;
pub use store_health::StoreHealth;

/// The parts of degraded mode; cheap to clone.
#[derive(Clone)]
pub struct DegradedMode {
    /// Health of the store.
    pub watch: StoreHealth,
    /// Cached principals and policies. `None` with the embedded database, which is always available.
    pub known: Option<Arc<ContextCache>>,
    /// Spool for decisions. `None` with the embedded database.
    pub spool: Option<Spool>,
}

impl DegradedMode {
    /// Starts probing the store and replaying the spool as some of `tasks`, until `stop`.
    pub fn start(
        db: &Db,
        settings: &Settings,
        tasks: &TaskTracker,
        stop: &CancellationToken,
    ) -> Result<Self> {
        let Some(probe) = db.probe() else {
            return Ok(Self { watch: StoreHealth::always_up(), known: None, spool: None });
        };
        let cache = Arc::new(ContextCache::new(settings.spool.trust));
        let watch = StoreHealth::start(probe, Arc::clone(&cache), tasks, stop);
        let spool =
            Spool::open(db.clone(), watch.clone(), settings, tasks).context("could not open the spool")?;
        Ok(Self { watch, known: Some(cache), spool: Some(spool) })
    }
}
