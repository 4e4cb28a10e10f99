//! Whether the store answers.

use std::{sync::Arc, time::Duration};

use guardengine_store::Probe;
use tokio::{
    sync::{Notify, watch},
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::ContextCache;
use crate::http::Error;

/// Between two questions, and so the longest that something changed elsewhere is still believed without the store.
const ASK: Duration = Duration::from_millis(500);
/// A store that takes longer does not answer.
const ANSWER: Duration = Duration::from_secs(2);
/// Between two questions at least, however many requests doubt.
const PAUSE: Duration = Duration::from_millis(50);

/// Whether the store answers; cheap to clone.
#[derive(Clone)]
pub struct StoreHealth(Arc<State>);

struct State {
    is_up: watch::Sender<bool>,
    doubted: Notify,
}

impl StoreHealth {
    /// Of a store that is there as long as this process.
    pub fn of_embedded() -> Self {
        Self(Arc::new(State { is_up: watch::Sender::new(true), doubted: Notify::new() }))
    }

    /// Asks again and again as one of `tasks`, until `stop`, and lets `known` follow what changes.
    pub(super) fn start(
        probe: Probe,
        known: Arc<ContextCache>,
        tasks: &TaskTracker,
        stop: &CancellationToken,
    ) -> Self {
        let watch = Self::of_embedded();
        let probing = watch_store(watch.clone(), probe, known);
        let stop = stop.clone();
        tasks.spawn(async move { stop.run_until_cancelled(probing).await });
        watch
    }

    /// Whether it answered when it was asked last.
    pub fn is_up(&self) -> bool {
        *self.0.is_up.borrow()
    }

    /// Waits until it answers.
    pub async fn up(&self) {
        // It ends with the process at the latest.
        let _up = self.0.is_up.subscribe().wait_for(|up| *up).await.is_ok();
    }

    /// Does `work` as long as the store answers; `None` as soon as it does not.
    pub async fn run_while_up<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut is_up = self.0.is_up.subscribe();
        tokio::select! {
            biased;
            _ = is_up.wait_for(|up| !up) => None,
            done = work => Some(done),
        }
    }

    /// The same for what asks the store: 503 when it does not answer.
    pub async fn run<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let done = self.run_while_up(work).await.unwrap_or_else(|| Err(Error::store_unavailable()));
        if done.as_ref().is_err_and(Error::is_store_unavailable) && self.is_up() {
            self.0.doubted.notify_one();
        }
        done
    }

    /// Says so once.
    fn found(&self, is_up: bool) {
        metrics::gauge!("guardengine_store_up").set(f64::from(u8::from(is_up)));
        if self.0.is_up.send_replace(is_up) == is_up {
            return;
        }
        if is_up {
            tracing::info!("the store answers again");
        } else {
            tracing::warn!("the store does not answer: requests are refused or spooled until it does");
        }
    }
}

async fn watch_store(watch: StoreHealth, mut probe: Probe, known: Arc<ContextCache>) {
    loop {
        let asked = async {
            let heads = probe.heads().await?;
            known.follow(&mut probe, heads).await
        };
        watch.found(matches!(timeout(ANSWER, asked).await, Ok(Ok(()))));
        sleep(PAUSE).await;
        let _doubted = timeout(ASK.saturating_sub(PAUSE), watch.0.doubted.notified()).await.is_ok();
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn what_waits_for_the_store_is_refused_when_it_goes_and_served_when_it_is_back() {
        let watch = StoreHealth::of_embedded();
        let waits = watch.run_while_up(std::future::pending::<()>());
        tokio::pin!(waits);
        assert!(waits.as_mut().now_or_never().is_none());
        watch.found(false);
        assert_eq!(waits.await, None);
        assert!(!watch.is_up() && watch.up().now_or_never().is_none());
        assert_eq!(watch.run_while_up(async { 7 }).await, None);
        watch.found(true);
        watch.up().await;
        assert_eq!(watch.run_while_up(async { 7 }).await, Some(7));
    }

    #[tokio::test]
    async fn a_store_that_goes_is_a_503() {
        let watch = StoreHealth::of_embedded();
        watch.found(false);
        let refused = watch.run(async { Ok(()) }).await;
        assert!(refused.is_err_and(|refusal| refusal.is_store_unavailable()));
    }
}
