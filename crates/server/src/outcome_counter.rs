//! Every guard request that passes the credential check, counted once, so that the outcomes add up to the requests.
//!
//! Admission opens a [`PendingOutcome`] around a request. When the journal has its decision, the journal counts what became
//! of it; whatever else happens to the request, a refusal, a failure, a panic, a client that goes away, drops the
//! [`PendingOutcome`], and the request counts as not judged. No row stands for it then, so that such requests are added up
//! by organisation, project and minute, and written like other activity.

use std::{
    cell::{Cell, OnceCell},
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use guardengine_store::{Db, Timestamp, Unjudged};
use uuid::Uuid;

/// The outcome of a request that no verdict was reached for.
pub const NOT_JUDGED: &str = "not_judged";

type Key = (Uuid, Timestamp, Uuid);

/// Requests that were not judged, since they were written last.
#[derive(Clone, Default)]
pub struct UnevaluatedCounts(Arc<Mutex<HashMap<Key, i64>>>);

impl UnevaluatedCounts {
    fn counts(&self) -> MutexGuard<'_, HashMap<Key, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request that was not judged.
    pub fn note(&self, operation: &str, org: Uuid, project: Option<Uuid>, at: Timestamp) {
        count(operation, NOT_JUDGED);
        self.add((org, at.minute(), project.unwrap_or_default()), 1);
    }

    fn add(&self, key: Key, requests: i64) {
        *self.counts().entry(key).or_default() += requests;
    }

    /// Writes what was counted; what could not be written is kept for the next time.
    pub async fn write(&self, db: &Db) -> guardengine_store::Result<()> {
        let counts = std::mem::take(&mut *self.counts());
        if counts.is_empty() {
            return Ok(());
        }
        let of = |((org_id, minute, project_id), count)| Unjudged { org_id, minute, project_id, count };
        let requests: Vec<_> = counts.into_iter().map(of).collect();
        let written = db.add_unjudged(&requests).await;
        if written.is_err() {
            for one in requests {
                self.add((one.org_id, one.minute, one.project_id), one.count);
            }
        }
        written
    }
}

/// Counts what became of a guard request in the metrics.
pub fn count(operation: &str, outcome: &str) {
    let labels = [("operation", operation.to_owned()), ("outcome", outcome.to_owned())];
    metrics::counter!("guardengine_decisions_total", &labels).increment(1);
}

tokio::task_local! {
    static CURRENT: PendingOutcome;
}

/// A guard request on its way.
pub struct PendingOutcome {
    unwritten: UnevaluatedCounts,
    operation: &'static str,
    org: Uuid,
    at: Timestamp,
    project: OnceCell<Uuid>,
    is_recorded: Cell<bool>,
}

impl PendingOutcome {
    /// A request of `org` that came `at` that time.
    pub fn new(unwritten: UnevaluatedCounts, operation: &'static str, org: Uuid, at: Timestamp) -> Self {
        let (project, is_recorded) = (OnceCell::new(), Cell::new(false));
        Self { unwritten, operation, org, at, project, is_recorded }
    }

    /// Serves the request.
    pub async fn serve<T>(self, work: impl Future<Output = T>) -> T {
        CURRENT.scope(self, work).await
    }
}

impl Drop for PendingOutcome {
    fn drop(&mut self) {
        if !self.is_recorded.get() {
            self.unwritten.note(self.operation, self.org, self.project.get().copied(), self.at);
        }
    }
}

/// Says which of the organisation's projects the current request is for.
pub fn set_project(id: Uuid) {
    // Outside of a guard request there is nothing to be said.
    let _none = CURRENT.try_with(|received| received.project.set(id));
}

/// Says that the journal has the current request's decision, and counts what becomes of it.
pub fn mark_recorded() {
    let _none = CURRENT.try_with(|received| received.is_recorded.set(true));
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    fn received(unwritten: &UnevaluatedCounts) -> PendingOutcome {
        PendingOutcome::new(unwritten.clone(), "analyze", Uuid::max(), Timestamp::from_micros(61_000_000))
    }

    fn noted(unwritten: &UnevaluatedCounts) -> Vec<(Key, i64)> {
        unwritten.counts().iter().map(|(key, count)| (*key, *count)).collect()
    }

    #[tokio::test]
    async fn a_request_that_the_journal_has_is_the_journals_to_count() {
        let unwritten = UnevaluatedCounts::default();
        received(&unwritten).serve(async { mark_recorded() }).await;
        assert_eq!(noted(&unwritten), []);
    }

    #[tokio::test]
    async fn a_request_that_is_refused_counts_once_for_its_project_and_minute() {
        let (unwritten, project) = (UnevaluatedCounts::default(), Uuid::from_u128(7));
        received(&unwritten).serve(async { set_project(project) }).await;
        let minute = Timestamp::from_micros(60_000_000);
        assert_eq!(noted(&unwritten), [((Uuid::max(), minute, project), 1)]);
    }

    #[tokio::test]
    async fn a_request_whose_client_goes_away_counts_too() {
        let unwritten = UnevaluatedCounts::default();
        assert!(received(&unwritten).serve(std::future::pending::<()>()).now_or_never().is_none());
        assert_eq!(noted(&unwritten).len(), 1);
    }
}
