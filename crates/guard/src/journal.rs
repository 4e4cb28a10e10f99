//! The journal: a single writer that makes decisions durable, many in one transaction.
//!
//! Decisions that arrive while a transaction is flushed wait for the next one, so that the number of flushes does not
//! grow with the number of requests. A response is sent only after its log entry is durable.

use guardengine_store::{Charge, Db, DecisionRecord, Error, StoreHealth};
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use crate::outcome_counter;

/// Maximum number of decisions in one transaction.
const BATCH: usize = 256;
/// Maximum number of waiting decisions. Further requests are refused with 503.
const MAX_QUEUED: usize = 4096;

/// Reason why a decision was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// Too many decisions are waiting.
    #[error("the journal's queue is full")]
    Full,
    /// The store cannot be reached.
    #[error("the journal cannot reach the store")]
    Gone,
    /// The store returned an error, or the service is stopping.
    #[error("the journal could not write")]
    Failed,
}

struct Entry {
    decision: DecisionRecord,
    /// True if the decision is spooled when the store is unavailable.
    has_spool_fallback: bool,
    answer: oneshot::Sender<Result<Charge, JournalError>>,
}

/// A handle to the writer; cheap to clone. The writer writes everything and ends when the last handle is dropped.
#[derive(Clone)]
pub struct Journal(mpsc::Sender<Entry>);

impl Journal {
    /// Starts the writer as one of `tasks`.
    pub fn start(
        db: Db,
        store: StoreHealth,
        unevaluated: outcome_counter::UnevaluatedCounts,
        tasks: &TaskTracker,
    ) -> Self {
        let (sender, receiver) = mpsc::channel(MAX_QUEUED);
        tasks.spawn(run(db, store, unevaluated, receiver));
        Self(sender)
    }

    /// Writes `decision` and deducts its price; returns when both are durable. A decision that fails counts as unevaluated,
    /// unless the store is unavailable and it `has_spool_fallback`.
    pub async fn write(
        &self,
        decision: DecisionRecord,
        has_spool_fallback: bool,
    ) -> Result<Charge, JournalError> {
        let (answer, written) = oneshot::channel();
        self.0.try_send(Entry { decision, has_spool_fallback, answer }).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => JournalError::Full,
            mpsc::error::TrySendError::Closed(_) => JournalError::Failed,
        })?;
        outcome_counter::mark_recorded();
        written.await.map_err(|_| JournalError::Failed)?
    }
}

async fn run(
    db: Db,
    store: StoreHealth,
    unevaluated: outcome_counter::UnevaluatedCounts,
    mut receiver: mpsc::Receiver<Entry>,
) {
    let mut entries = Vec::with_capacity(BATCH);
    while receiver.recv_many(&mut entries, BATCH).await > 0 {
        let (decisions, answers): (Vec<_>, Vec<_>) =
            entries.drain(..).map(|entry| (entry.decision, (entry.answer, entry.has_spool_fallback))).unzip();
        metrics::histogram!("guardengine_journal_batch").record(decisions.len() as f64);
        let written = Box::pin(store.write(db.commit_decisions(&decisions))).await.map_err(|error| {
            // The health check logs once that the store is unavailable.
            if !matches!(error, Error::Unavailable) {
                tracing::error!(%error, decisions = decisions.len(), "could not write decisions to the journal");
            }
            if error.is_unavailable() { JournalError::Gone } else { JournalError::Failed }
        });
        for (at, (answer, has_spool_fallback)) in answers.into_iter().enumerate() {
            let charge = written.as_ref().map(|charges| charges[at]).map_err(|error| *error);
            if charge != Err(JournalError::Gone) || !has_spool_fallback {
                count(&decisions[at], charge, &unevaluated);
            }
            // The log entry stays even if the caller has gone away.
            let _gone = answer.send(charge);
        }
    }
}

fn count(
    decision: &DecisionRecord,
    charge: Result<Charge, JournalError>,
    unevaluated: &outcome_counter::UnevaluatedCounts,
) {
    let (log, operation) = (&decision.log, &decision.operation);
    match charge {
        Ok(Charge::Paid { .. }) => outcome_counter::count(operation, &log.outcome),
        _ => unevaluated.note(operation, log.org_id, log.project_id, log.created_at),
    }
}
