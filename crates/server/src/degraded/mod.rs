//! What the service does while the store does not answer.
//!
//! Whether it does is [asked](watch) twice a second, so that requests are refused at once instead of waiting for it. Where
//! a project wants it so (`on_store_failure: spool`), its guard calls are decided by what the store [said last](known),
//! and their rows are [kept on the local disk](spool) until it is back.

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

/// What the service has for the time without a store; cheap to clone.
#[derive(Clone)]
pub struct DegradedMode {
    /// Whether the store answers.
    pub watch: StoreHealth,
    /// What it said last. Nothing with the embedded database, which is there as long as this process.
    pub known: Option<Arc<ContextCache>>,
    /// Where rows wait for it; likewise.
    pub spool: Option<Spool>,
}

impl DegradedMode {
    /// Looks after the store, and writes what was spooled when it answers, as some of `tasks`, until `stop`.
    pub fn start(
        db: &Db,
        settings: &Settings,
        tasks: &TaskTracker,
        stop: &CancellationToken,
    ) -> Result<Self> {
        let Some(probe) = db.probe() else {
            return Ok(Self { watch: StoreHealth::of_embedded(), known: None, spool: None });
        };
        let known = Arc::new(ContextCache::new(settings.spool.trust));
        let watch = StoreHealth::start(probe, Arc::clone(&known), tasks, stop);
        let spool =
            Spool::open(db.clone(), watch.clone(), settings, tasks).context("cannot open the spool")?;
        Ok(Self { watch, known: Some(known), spool: Some(spool) })
    }
}
