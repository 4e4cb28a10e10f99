//! Health of the database, probed in the background twice a second, so that requests are refused at once instead of
//! waiting while it is unavailable.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{Notify, watch},
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{OrgChanges, Probe};
use crate::{Db, Error, StoreError};

/// Interval between probes. Cached data can be outdated by at most this long when the database becomes unavailable.
const PROBE_INTERVAL: Duration = Duration::from_millis(500);
/// Time after which a probe counts as failed.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);
/// Minimum pause between probes, however many requests report errors.
const MIN_PAUSE: Duration = Duration::from_millis(50);

/// Health of the database; cheap to clone.
#[derive(Clone)]
pub struct StoreHealth(Arc<State>);

struct State {
    is_up: watch::Sender<bool>,
    /// Notified when a request found the database unavailable while it counts as up.
    suspected: Notify,
    changes: Option<OrgChanges>,
}

impl StoreHealth {
    /// Creates the health of a database that is always up, as SQLite is.
    pub fn always_up() -> Self {
        Self::new(None)
    }

    /// Starts probing `db` as one of `tasks`, until `stop`. SQLite needs no probe.
    pub fn start(db: &Db, tasks: &TaskTracker, stop: &CancellationToken) -> Self {
        let Some(probe) = db.probe() else { return Self::always_up() };
        let changes = OrgChanges::default();
        let health = Self::new(Some(changes.clone()));
        let probing = probe_store(health.clone(), probe, changes);
        let stop = stop.clone();
        tasks.spawn(async move { stop.run_until_cancelled(probing).await });
        health
    }

    fn new(changes: Option<OrgChanges>) -> Self {
        let (is_up, suspected) = (watch::Sender::new(true), Notify::new());
        Self(Arc::new(State { is_up, suspected, changes }))
    }

    /// Returns the changes that the probes find. `None` if the database is always up: nothing need be cached for outages.
    pub fn changes(&self) -> Option<&OrgChanges> {
        self.0.changes.as_ref()
    }

    /// Returns true if the last probe succeeded.
    pub fn is_up(&self) -> bool {
        *self.0.is_up.borrow()
    }

    /// Waits until the database answers.
    pub async fn up(&self) {
        // An error means that the process ends.
        let _up = self.0.is_up.subscribe().wait_for(|up| *up).await.is_ok();
    }

    /// Runs `work` while the database answers. Returns `None` as soon as it is unavailable.
    pub async fn run_while_up<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut is_up = self.0.is_up.subscribe();
        tokio::select! {
            biased;
            _ = is_up.wait_for(|up| !up) => None,
            done = work => Some(done),
        }
    }

    /// Runs `work` that uses the database. Returns [`Error::Unavailable`] as soon as the database is unavailable.
    pub async fn run<T, E: StoreError>(&self, work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        let done = self.run_while_up(work).await.unwrap_or_else(|| Err(Error::Unavailable.into()));
        if done.as_ref().is_err_and(E::is_store_unavailable) && self.is_up() {
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

async fn probe_store(health: StoreHealth, mut probe: Probe, changes: OrgChanges) {
    loop {
        let probed = async {
            let heads = probe.heads().await?;
            changes.update(&mut probe, heads).await
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
    async fn work_is_refused_while_the_store_is_unavailable() {
        let health = StoreHealth::always_up();
        health.set_up(false);
        assert!(matches!(health.run(async { Ok(()) }).await, Err(Error::Unavailable)));
    }
}
