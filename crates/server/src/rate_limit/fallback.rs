//! What becomes of counting while Redis does not answer: this process counts alone, against the whole limit, since how
//! many replicas there are is not known.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use guardengine_store::Timestamp;
use redis::RedisError;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{Figures, Key, memory::Local, redis_counters::Shared};

/// How often Redis is asked whether it answers.
const ASK: Duration = Duration::from_secs(1);

/// Shared windows, and those of this process while the shared ones are out of reach.
pub struct Fallback(Arc<Both>);

struct Both {
    shared: Shared,
    local: Local,
    answers: AtomicBool,
}

impl Fallback {
    /// Asks each second whether the shared windows can be reached, as one of `tasks`, until `stop`.
    pub(super) fn start(shared: Shared, tasks: &TaskTracker, stop: &CancellationToken) -> Self {
        let both = Arc::new(Both { shared, local: Local::default(), answers: AtomicBool::new(true) });
        tasks.spawn(watch(Arc::clone(&both), stop.clone()));
        Self(both)
    }

    pub(super) async fn count(&self, key: Key, span: Duration, now: Timestamp) -> Figures {
        let both = &self.0;
        if both.answers.load(Ordering::Relaxed) {
            match both.shared.count(&key, span).await {
                Ok(figures) => return figures,
                Err(fault) => both.lost(&fault),
            }
        }
        both.local.count(key, span, now)
    }
}

async fn watch(both: Arc<Both>, stop: CancellationToken) {
    let mut ticks = interval(ASK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        match both.shared.counts().await {
            Ok(()) => both.found(),
            Err(fault) => both.lost(&fault),
        }
    }
}

impl Both {
    /// Says so once, however many requests notice.
    fn lost(&self, fault: &RedisError) {
        metrics::gauge!("guardengine_redis_up").set(0.0);
        if self.answers.swap(false, Ordering::Relaxed) {
            let kind = fault.kind();
            tracing::warn!(?kind, "Redis does not answer: each replica counts alone until it does");
        }
    }

    fn found(&self) {
        metrics::gauge!("guardengine_redis_up").set(1.0);
        if !self.answers.swap(true, Ordering::Relaxed) {
            self.local.clear();
            tracing::info!("Redis answers again: replicas share their counters");
        }
    }
}
