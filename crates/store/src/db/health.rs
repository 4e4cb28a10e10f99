//! Health of the database, probed in the background, so that requests are refused at once instead of waiting while it
//! is unavailable.
//!
//! PostgreSQL is asked twice a second whether it answers. Both databases are asked whether they accept writes: every few
//! seconds, at once after a request failed, and twice a second until they do again.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{
    sync::{Notify, watch},
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{OrgChanges, Probe};
use crate::{Db, Error, Result, StoreError};

/// Interval between probes. Cached data can be outdated by at most this long when the database becomes unavailable.
const PROBE_INTERVAL: Duration = Duration::from_millis(500);
/// Time after which a probe that reads counts as failed.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);
/// Interval between probes that write, while nothing fails.
const WRITE_INTERVAL: Duration = Duration::from_secs(5);
/// Time after which a probe that writes counts as failed. Longer than a write to a locked SQLite file waits.
const WRITE_TIMEOUT: Duration = Duration::from_secs(7);
/// Bytes that a database must accept before it counts as writable again. A full disk may still take a few.
const SPARE_BYTES: usize = 256 << 10;
/// Minimum pause between probes, however many requests report errors.
const MIN_PAUSE: Duration = Duration::from_millis(50);

/// Health of the database; cheap to clone.
#[derive(Clone)]
pub struct StoreHealth(Arc<State>);

struct State {
    is_up: watch::Sender<bool>,
    is_writable: watch::Sender<bool>,
    /// Notified when a request found the database unavailable while it counts as up.
    suspected: Notify,
    changes: Option<OrgChanges>,
}

impl StoreHealth {
    /// Creates the health of a database that is always up and writable.
    pub fn always_up() -> Self {
        Self::new(None)
    }

    /// Starts probing `db` as one of `tasks`, until `stop`.
    pub fn start(db: &Db, tasks: &TaskTracker, stop: &CancellationToken) -> Self {
        let health = Self::new(matches!(db, Db::Postgres(_)).then(OrgChanges::default));
        let probing = keep_probing(health.clone(), db.clone());
        let stop = stop.clone();
        tasks.spawn(async move { stop.run_until_cancelled(probing).await });
        health
    }

    fn new(changes: Option<OrgChanges>) -> Self {
        let (is_up, is_writable, suspected) =
            (watch::Sender::new(true), watch::Sender::new(true), Notify::new());
        Self(Arc::new(State { is_up, is_writable, suspected, changes }))
    }

    /// Returns the changes that the probes find. `None` for SQLite, which answers for as long as the process runs:
    /// nothing need be cached for outages.
    pub fn changes(&self) -> Option<&OrgChanges> {
        self.0.changes.as_ref()
    }

    /// Returns whether all replicas share the database: PostgreSQL.
    pub fn is_shared(&self) -> bool {
        self.0.changes.is_some()
    }

    /// Returns true if the database answered the last probe. SQLite always does.
    pub fn is_up(&self) -> bool {
        *self.0.is_up.borrow()
    }

    /// Returns true if the database accepted the last write of a probe.
    pub fn is_writable(&self) -> bool {
        *self.0.is_writable.borrow()
    }

    /// Waits until the database answers.
    pub async fn up(&self) {
        // An error means that the process ends.
        let _up = self.0.is_up.subscribe().wait_for(|up| *up).await.is_ok();
    }

    /// Runs `work` while the database answers. Returns `None` as soon as it is unavailable.
    pub async fn run_while_up<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        run_while(&self.0.is_up, work).await
    }

    /// Runs `work` that uses the database. Returns [`Error::Unavailable`] as soon as the database is unavailable.
    pub async fn run<T, E: StoreError>(
        &self,
        work: impl Future<Output = std::result::Result<T, E>>,
    ) -> std::result::Result<T, E> {
        let done = self.run_while_up(work).await.unwrap_or_else(|| Err(Error::Unavailable.into()));
        if done.as_ref().is_err_and(E::is_store_unavailable) && self.is_up() && self.is_writable() {
            self.0.suspected.notify_one();
        }
        done
    }

    /// Runs `work` that writes. Returns [`Error::Unavailable`] as soon as the database does not accept writes.
    pub async fn write<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        let work = run_while(&self.0.is_writable, work);
        self.run(async { work.await.unwrap_or(Err(Error::Unavailable)) }).await
    }

    /// Stores the result of a probe that read, and logs changes.
    fn set_up(&self, is_up: bool) {
        let was_up = self.0.is_up.send_replace(is_up);
        self.show();
        match (was_up, is_up) {
            (true, false) => {
                tracing::warn!("the store is unavailable; requests are refused or spooled until it answers");
            }
            (false, true) => tracing::info!("the store answers again"),
            _ => {}
        }
    }

    /// Stores the result of a probe that wrote, and logs changes.
    fn set_writable(&self, written: std::result::Result<(), String>) {
        let was_writable = self.0.is_writable.send_replace(written.is_ok());
        self.show();
        match (was_writable, written) {
            (true, Err(error)) => {
                tracing::error!(error, "the store accepts no writes; they are refused until it does");
            }
            (false, Ok(())) => tracing::info!("the store accepts writes again"),
            _ => {}
        }
    }

    fn show(&self) {
        let works = self.is_up() && self.is_writable();
        metrics::gauge!("guardengine_store_up").set(f64::from(u8::from(works)));
    }
}

/// Runs `work` while the state is true. Returns `None` as soon as it is false.
async fn run_while<T>(state: &watch::Sender<bool>, work: impl Future<Output = T>) -> Option<T> {
    let mut state = state.subscribe();
    tokio::select! {
        biased;
        _ = state.wait_for(|holds| !holds) => None,
        done = work => Some(done),
    }
}

async fn keep_probing(health: StoreHealth, db: Db) {
    let mut probe = db.probe();
    let mut write_due = Instant::now();
    loop {
        let read = async {
            let heads = probe.heads().await?;
            match health.changes() {
                Some(changes) => changes.update(&mut probe, heads).await,
                None => Ok(()),
            }
        };
        let answers = matches!(timeout(PROBE_TIMEOUT, read).await, Ok(Ok(())));
        if answers && (!health.is_writable() || Instant::now() >= write_due) {
            let written = probe_write(&mut probe, health.is_writable()).await;
            health.set_writable(written);
            write_due = Instant::now() + WRITE_INTERVAL;
        }
        health.set_up(answers);
        sleep(MIN_PAUSE).await;
        let pause = PROBE_INTERVAL.saturating_sub(MIN_PAUSE);
        let is_suspected = timeout(pause, health.0.suspected.notified()).await.is_ok();
        if is_suspected {
            write_due = Instant::now();
        }
        if is_suspected || !health.is_writable() {
            db.recycle();
        }
    }
}

async fn probe_write(probe: &mut Probe, is_writable: bool) -> std::result::Result<(), String> {
    let bytes = if is_writable { 0 } else { SPARE_BYTES };
    match timeout(WRITE_TIMEOUT, probe.write(bytes)).await {
        Ok(written) => written.map_err(|error| error.to_string()),
        Err(_) => Err("no answer in time".to_owned()),
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
    async fn writes_alone_are_refused_while_the_store_accepts_none() {
        let health = StoreHealth::always_up();
        health.set_writable(Err("full".to_owned()));
        assert!(matches!(health.write(async { Ok(()) }).await, Err(Error::Unavailable)));
        assert!(health.run(async { Ok::<_, Error>(7) }).await.is_ok() && health.is_up());
        health.set_writable(Ok(()));
        assert!(health.write(async { Ok(()) }).await.is_ok());
    }

    #[tokio::test]
    async fn work_is_refused_while_the_store_is_unavailable() {
        let health = StoreHealth::always_up();
        health.set_up(false);
        assert!(matches!(health.run(async { Ok(()) }).await, Err(Error::Unavailable)));
    }
}
