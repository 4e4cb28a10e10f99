//! Counts the outcome of every guard request that passes the credential check, so that the outcomes add up to the requests.
//!
//! Admission opens a [`PendingOutcome`] around a request. Once the journal has the decision, the journal counts its
//! outcome. Otherwise (an error, a panic, a client that disconnects) dropping the [`PendingOutcome`] counts the request as
//! unevaluated. Such requests have no log entry, so they are counted by organization, project and minute, and written with
//! other activity.

use std::{
    cell::{Cell, OnceCell},
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use guardengine_store::{Db, Timestamp, UnevaluatedCount};
use uuid::Uuid;

use crate::Operation;

/// Outcome of a request without a verdict.
pub const NOT_JUDGED: &str = "not_judged";

/// Organization, minute and project.
type Key = (Uuid, Timestamp, Uuid);

/// Counts of unevaluated requests that are not written yet.
#[derive(Clone, Default)]
pub struct UnevaluatedCounts(Arc<Mutex<HashMap<Key, i64>>>);

impl UnevaluatedCounts {
    fn counts(&self) -> MutexGuard<'_, HashMap<Key, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an unevaluated request.
    pub fn note(&self, operation: &str, org: Uuid, project: Option<Uuid>, at: Timestamp) {
        count(operation, NOT_JUDGED);
        self.add((org, at.minute(), project.unwrap_or_default()), 1);
    }

    fn add(&self, key: Key, requests: i64) {
        *self.counts().entry(key).or_default() += requests;
    }

    /// Writes the counts to the store. On an error they are kept for the next call.
    pub async fn write(&self, db: &Db) -> guardengine_store::Result<()> {
        let counts = std::mem::take(&mut *self.counts());
        if counts.is_empty() {
            return Ok(());
        }
        let of =
            |((org_id, minute, project_id), count)| UnevaluatedCount { org_id, minute, project_id, count };
        let requests: Vec<_> = counts.into_iter().map(of).collect();
        let written = db.add_unevaluated(&requests).await;
        if written.is_err() {
            for one in requests {
                self.add((one.org_id, one.minute, one.project_id), one.count);
            }
        }
        written
    }
}

/// Counts the outcome of a guard request in the Prometheus metrics.
pub fn count(operation: &str, outcome: &str) {
    let labels = [("operation", operation.to_owned()), ("outcome", outcome.to_owned())];
    metrics::counter!("guardengine_decisions_total", &labels).increment(1);
}

tokio::task_local! {
    static CURRENT: PendingOutcome;
}

/// A guard request whose outcome is not counted yet.
pub struct PendingOutcome {
    unwritten: UnevaluatedCounts,
    operation: Cell<&'static str>,
    org: Uuid,
    at: Timestamp,
    project: OnceCell<Uuid>,
    is_recorded: Cell<bool>,
}

impl PendingOutcome {
    /// Creates the pending outcome of a request of `org` that arrived at `at`.
    pub fn new(unwritten: UnevaluatedCounts, operation: &'static str, org: Uuid, at: Timestamp) -> Self {
        let (operation, project, is_recorded) = (Cell::new(operation), OnceCell::new(), Cell::new(false));
        Self { unwritten, operation, org, at, project, is_recorded }
    }

    /// Runs `work` as the current request.
    pub async fn serve<T>(self, work: impl Future<Output = T>) -> T {
        CURRENT.scope(self, work).await
    }
}

impl Drop for PendingOutcome {
    fn drop(&mut self) {
        if !self.is_recorded.get() {
            self.unwritten.note(self.operation.get(), self.org, self.project.get().copied(), self.at);
        }
    }
}

/// Sets the operation of the current request, where only its body says which it is.
pub fn set_operation(operation: Operation) {
    let _none = CURRENT.try_with(|pending| pending.operation.set(operation.name()));
}

/// Sets the project of the current request.
pub fn set_project(id: Uuid) {
    // Outside a guard request there is nothing to count.
    let _none = CURRENT.try_with(|pending| pending.project.set(id));
}

/// Marks the current request as counted: by the journal, with the call that it repeats, or not at all because it asks for
/// no evaluation.
pub fn mark_recorded() {
    let _none = CURRENT.try_with(|pending| pending.is_recorded.set(true));
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    fn pending(unwritten: &UnevaluatedCounts) -> PendingOutcome {
        PendingOutcome::new(unwritten.clone(), "analyze", Uuid::max(), Timestamp::from_micros(61_000_000))
    }

    fn counts(unwritten: &UnevaluatedCounts) -> Vec<(Key, i64)> {
        unwritten.counts().iter().map(|(key, count)| (*key, *count)).collect()
    }

    #[tokio::test]
    async fn does_not_count_a_request_that_the_journal_has() {
        let unwritten = UnevaluatedCounts::default();
        pending(&unwritten).serve(async { mark_recorded() }).await;
        assert_eq!(counts(&unwritten), []);
    }

    #[tokio::test]
    async fn a_refused_request_counts_once_for_its_project_and_minute() {
        let (unwritten, project) = (UnevaluatedCounts::default(), Uuid::from_u128(7));
        pending(&unwritten).serve(async { set_project(project) }).await;
        let minute = Timestamp::from_micros(60_000_000);
        assert_eq!(counts(&unwritten), [((Uuid::max(), minute, project), 1)]);
    }

    #[tokio::test]
    async fn a_request_counts_as_the_operation_that_its_body_names() {
        let unwritten = UnevaluatedCounts::default();
        let pending = pending(&unwritten);
        let operation = pending.serve(async {
            set_operation(Operation::Validate);
            CURRENT.with(|pending| pending.operation.get())
        });
        assert_eq!(operation.await, "validate");
    }

    #[tokio::test]
    async fn counts_a_request_whose_client_disconnects() {
        let unwritten = UnevaluatedCounts::default();
        assert!(pending(&unwritten).serve(std::future::pending::<()>()).now_or_never().is_none());
        assert_eq!(counts(&unwritten).len(), 1);
    }
}
