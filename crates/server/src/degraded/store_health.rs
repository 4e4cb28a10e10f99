//! Health of the store, probed in the background.

use std::{sync::Arc, time::Duration};

use guardengine_store::Probe;
use tokio::{
    sync::{Notify, watch},
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::ContextCache;
use crate::http::Error;

/// Interval between probes. Cached data can be outdated by at most this long when the store becomes unavailable.
const PROBE_INTERVAL: Duration = Duration::from_millis(500);
/// Time after which a probe counts as failed.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);
/// Minimum pause between probes, however many requests report errors.
const MIN_PAUSE: Duration = Duration::from_millis(50);

/// Health of the store; cheap to clone.
#[derive(Clone)]
pub struct StoreHealth(Arc<State>);

struct State {
    is_up: watch::Sender<bool>,
    /// Notified when a request found the store unavailable while it counts as up.
    suspected: Notify,
}

impl StoreHealth {
    /// Creates the health of a store that is always up, such as the embedded database.
    pub fn always_up() -> Self {
        Self(Arc::new(State { is_up: watch::Sender::new(true), suspected: Notify::new() }))
    }

    /// Starts probing as one of `tasks`, until `stop`. Each probe also invalidates outdated entries of `cache`.
    pub(super) fn start(
        probe: Probe,
        cache: Arc<ContextCache>,
        tasks: &TaskTracker,
        stop: &CancellationToken,
    ) -> Self {
        let health = Self::always_up();
        let probing = probe_store(health.clone(), probe, cache);
        let stop = stop.clone();
        tasks.spawn(async move { stop.run_until_cancelled(probing).await });
        health
    }

    /// Returns true if the last probe succeeded.
    pub fn is_up(&self) -> bool {
        *self.0.is_up.borrow()
    }

    /// Waits until the store answers.
    pub async fn up(&self) {
        // An error means that the process ends.
        let _up = self.0.is_up.subscribe().wait_for(|up| *up).await.is_ok();
    }

    /// Runs `work` while the store answers. Returns `None` as soon as the store is unavailable.
    pub async fn run_while_up<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut is_up = self.0.is_up.subscribe();
        tokio::select! {
            biased;
            _ = is_up.wait_for(|up| !up) => None,
            done = work => Some(done),
        }
    }

    /// Runs `work` that uses the store. Returns 503 when the store is unavailable.
    pub async fn run<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let done = self.run_while_up(work).await.unwrap_or_else(|| Err(Error::store_unavailable()));
        if done.as_ref().is_err_and(Error::is_store_unavailable) && self.is_up() {
            self.0.suspected.notify_one();
        }
        done
    }

    /// Stores the result of a probe, and logs changes.
    fn set_up(&self, is_up: bool) {
        metrics::gauge!("guardengine_store_up").set(f64::from(u8::from(is_up)));
        if self.0.is_up.send_replace(is_up) == is_up {
            return;
        }
        if is_up {
            tracing::info!("the store answers again");
        } else {
            tracing::warn!("the store is unavailable; requests are refused or spooled until it answers");
        }
    }
}

async fn probe_store(health: StoreHealth, mut probe: Probe, cache: Arc<ContextCache>) {
    loop {
        let probed = async {
            let heads = probe.heads().await?;
            cache.invalidate_changed(&mut probe, heads).await
        };
        health.set_up(matches!(timeout(PROBE_TIMEOUT, probed).await, Ok(Ok(()))));
        sleep(MIN_PAUSE).await;
        let _suspected =
            timeout(PROBE_INTERVAL.saturating_sub(MIN_PAUSE), health.0.suspected.notified()).await.is_ok();
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn refuses_waiting_work_when_the_store_goes_and_serves_it_again_later() {
        let health = StoreHealth::always_up();
        let waits = health.run_while_up(std::future::pending::<()>());
        tokio::pin!(waits);
        assert!(waits.as_mut().now_or_never().is_none());
        health.set_up(false);
        assert_eq!(waits.await, None);
        assert!(!health.is_up() && health.up().now_or_never().is_none());
        assert_eq!(health.run_while_up(async { 7 }).await, None);
        health.set_up(true);
        health.up().await;
        assert_eq!(health.run_while_up(async { 7 }).await, Some(7));
    }

    #[tokio::test]
    async fn an_unavailable_store_is_a_503() {
        let health = StoreHealth::always_up();
        health.set_up(false);
        let refused = health.run(async { Ok(()) }).await;
        assert!(refused.is_err_and(|error| error.is_store_unavailable()));
    }
}
