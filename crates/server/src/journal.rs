//! The journal: one writer that makes decisions durable, many in one transaction.
//!
//! What arrives while a transaction is being flushed waits for the next one, so that the number of flushes does not grow
//! with the number of requests. An answer goes out only after its row is durable.

use guardengine_store::{Charge, Db, Decision};
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use crate::{degraded::StoreHealth, outcome_counter};

/// Decisions in one transaction at most.
const BATCH: usize = 256;
/// Decisions that may wait; beyond, callers are told to come back later.
const WAITING: usize = 4096;

/// Why a decision is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// Too many are waiting.
    #[error("the journal's queue is full")]
    Full,
    /// The store cannot be reached.
    #[error("the journal cannot reach the store")]
    Gone,
    /// The store did not take it, or the service is stopping.
    #[error("the journal could not write")]
    Failed,
}

struct Entry {
    decision: Decision,
    /// Whether what fails is spooled, and so not lost.
    is_spooled_else: bool,
    answer: oneshot::Sender<Result<Charge, JournalError>>,
}

/// A way to the writer; cheap to clone. The writer ends, with everything written, when the last one is dropped.
#[derive(Clone)]
pub struct Journal(mpsc::Sender<Entry>);

impl Journal {
    /// Starts the writer as one of `tasks`.
    pub fn start(
        db: Db,
        watch: StoreHealth,
        unjudged: outcome_counter::UnevaluatedCounts,
        tasks: &TaskTracker,
    ) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        tasks.spawn(run(db, watch, unjudged, receiver));
        Self(sender)
    }

    /// Writes `decision` and deducts its price; answers when both are durable. What fails is counted as not judged, unless it
    /// `is_spooled_else`.
    pub async fn write(&self, decision: Decision, is_spooled_else: bool) -> Result<Charge, JournalError> {
        let (answer, written) = oneshot::channel();
        self.0.try_send(Entry { decision, is_spooled_else, answer }).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => JournalError::Full,
            mpsc::error::TrySendError::Closed(_) => JournalError::Failed,
        })?;
        outcome_counter::mark_recorded();
        written.await.map_err(|_| JournalError::Failed)?
    }
}

async fn run(
    db: Db,
    watch: StoreHealth,
    unjudged: outcome_counter::UnevaluatedCounts,
    mut receiver: mpsc::Receiver<Entry>,
) {
    let mut entries = Vec::with_capacity(BATCH);
    while receiver.recv_many(&mut entries, BATCH).await > 0 {
        let (decisions, answers): (Vec<_>, Vec<_>) =
            entries.drain(..).map(|entry| (entry.decision, (entry.answer, entry.is_spooled_else))).unzip();
        metrics::histogram!("guardengine_journal_batch").record(decisions.len() as f64);
        let written = watch.run_while_up(db.commit_decisions(&decisions)).await;
        if let Some(Err(fault)) = &written {
            tracing::error!(%fault, decisions = decisions.len(), "the journal could not write");
        }
        let written = match written {
            Some(Ok(charges)) => Ok(charges),
            Some(Err(fault)) if !fault.is_unavailable() => Err(JournalError::Failed),
            _ => Err(JournalError::Gone),
        };
        for (at, (answer, is_spooled_else)) in answers.into_iter().enumerate() {
            let charge = written.as_ref().map(|charges| charges[at]).map_err(|why| *why);
            if charge != Err(JournalError::Gone) || !is_spooled_else {
                count(&decisions[at], charge, &unjudged);
            }
            // A caller that has gone away has its row all the same.
            let _gone = answer.send(charge);
        }
    }
}

fn count(
    decision: &Decision,
    charge: Result<Charge, JournalError>,
    unjudged: &outcome_counter::UnevaluatedCounts,
) {
    let (log, operation) = (&decision.log, &decision.operation);
    match charge {
        Ok(Charge::Paid { .. }) => outcome_counter::count(operation, &log.outcome),
        _ => unjudged.note(operation, log.org_id, log.project_id, log.created_at),
    }
}
