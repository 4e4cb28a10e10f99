//! Fallback while Redis is unreachable: this process counts alone, against the full limit, because the number of replicas
//! is unknown.

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

use super::{Key, WindowCount, memory::Local, redis_counters::Shared};

/// Interval of health checks.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Counters shared in Redis, with local counters while Redis is unreachable.
pub struct Fallback(Arc<Counters>);

struct Counters {
    shared: Shared,
    local: Local,
    is_up: AtomicBool,
}

impl Fallback {
    /// Starts a health check as one of `tasks`, which runs every second until `stop` is cancelled.
    pub(super) fn start(shared: Shared, tasks: &TaskTracker, stop: &CancellationToken) -> Self {
        let counters = Arc::new(Counters { shared, local: Local::default(), is_up: AtomicBool::new(true) });
        tasks.spawn(watch(Arc::clone(&counters), stop.clone()));
        Self(counters)
    }

    pub(super) fn is_up(&self) -> bool {
        self.0.is_up.load(Ordering::Relaxed)
    }

    pub(super) async fn count(&self, key: Key, span: Duration, now: Timestamp) -> WindowCount {
        let counters = &self.0;
        if counters.is_up.load(Ordering::Relaxed) {
            match counters.shared.count(&key, span).await {
                Ok(count) => return count,
                Err(error) => counters.set_down(&error),
            }
        }
        counters.local.count(key, span, now)
    }
}

async fn watch(counters: Arc<Counters>, stop: CancellationToken) {
    let mut ticks = interval(CHECK_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        match counters.shared.check().await {
            Ok(()) => counters.set_up(),
            Err(error) => {
                counters.set_down(&error);
                counters.shared.reconnect();
            }
        }
    }
}

impl Counters {
    /// Records that Redis is unreachable. Logs it once, however many requests notice.
    fn set_down(&self, error: &RedisError) {
        metrics::gauge!("guardengine_redis_up").set(0.0);
        if self.is_up.swap(false, Ordering::Relaxed) {
            let kind = error.kind();
            tracing::warn!(?kind, "Redis is unreachable; each replica counts requests alone");
        }
    }

    fn set_up(&self) {
        metrics::gauge!("guardengine_redis_up").set(1.0);
        if !self.is_up.swap(true, Ordering::Relaxed) {
            self.local.clear();
            tracing::info!("Redis is reachable again; replicas share their counters");
        }
    }
}
