//! The work of the guard at the moment, for operators.

use serde::Serialize;
use utoipa::ToSchema;

use crate::{Guard, StageLatency, fair_queue::QueueLoad};

/// Work in progress before a limited number of threads or workers.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct QueueState {
    /// `evaluations`, `drafts` (policies that are compiled), `images` or `audio`.
    pub name: &'static str,
    /// Threads or workers that are busy.
    pub busy: usize,
    /// Threads or workers in all.
    pub capacity: usize,
    /// Requests that wait.
    pub waiting: usize,
    /// Requests that may wait; more are refused.
    pub max_waiting: usize,
}

/// A cache.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CacheState {
    /// `policies` (compiled ones) or `texts` (evaluated turns of conversations).
    pub name: &'static str,
    /// Number of entries.
    pub entries: u64,
    /// Most entries; null if the memory limits it.
    pub max_entries: Option<u64>,
}

impl Guard {
    /// Returns the version of the models, as log entries name it.
    pub fn model_version(&self) -> &str {
        self.classifier.version()
    }

    /// Returns the queues before threads and media workers.
    pub fn queues(&self) -> Vec<QueueState> {
        let [images, audio] = self.media_workers.loads();
        let queue = |name, load: QueueLoad| QueueState {
            name,
            busy: load.busy,
            capacity: load.capacity,
            waiting: load.waiting,
            max_waiting: load.max_waiting,
        };
        vec![
            queue("evaluations", self.processors.load()),
            queue("drafts", self.drafts.load()),
            queue("images", images),
            queue("audio", audio),
        ]
    }

    /// Returns the times of the newest requests of this replica by stage.
    pub fn stage_latencies(&self) -> Vec<StageLatency> {
        self.stage_history.latencies()
    }

    /// Returns the caches of this replica.
    pub fn caches(&self) -> Vec<CacheState> {
        vec![
            CacheState { name: "policies", entries: self.policies.count(), max_entries: None },
            CacheState {
                name: "texts",
                entries: self.evaluated_turns.len(),
                max_entries: Some(crate::evaluated_turns::REMEMBERED),
            },
        ]
    }

    /// Returns whether requests can be evaluated while the database is unavailable.
    pub fn has_spool(&self) -> bool {
        self.spool.is_some()
    }
}
