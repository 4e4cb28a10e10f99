//! One question to one connector.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use guardengine_egress::{EgressClient, Error};
use guardengine_store::Db;
use tokio::sync::Semaphore;

use super::{CompletionRequest, providers};
use guardengine_vault::Vault;

use crate::{
    clock::Clock,
    connectors::{OpenConnector, describe_error, record_check_at},
};

/// Questions that may wait for their answers; beyond, callers are told to come back later.
const WAITING: usize = 256;
/// Bytes of an answer, what the model thought for itself included.
const LARGEST: usize = 256 * 1024;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum LlmError {
    /// Too many wait already.
    #[error("not asked: too many questions are under way")]
    Busy,
    /// The call failed.
    #[error(transparent)]
    Fault(#[from] Error),
    /// There is an answer, but not one to the question.
    #[error("{0}")]
    Unusable(&'static str),
}

/// The organisations' language models; cheap to clone.
#[derive(Clone)]
pub struct LanguageModels {
    pub(super) db: Db,
    pub(super) vault: Vault,
    outgoing: EgressClient,
    clock: Clock,
    places: Arc<Semaphore>,
}

impl LanguageModels {
    /// Those whose connectors stand in `db`.
    pub fn new(db: Db, vault: Vault, outgoing: EgressClient, clock: Clock) -> Self {
        Self { db, vault, outgoing, clock, places: Arc::new(Semaphore::new(WAITING)) }
    }

    /// Asks, and answers with the text that the model wrote, whole, within `time`.
    pub async fn ask(
        &self,
        connector: &OpenConnector,
        question: &CompletionRequest,
        time: Duration,
    ) -> Result<String, LlmError> {
        let began = Instant::now();
        let asked = match self.places.try_acquire() {
            Ok(_place) => self.asked(connector, question, time).await,
            Err(_) => Err(LlmError::Busy),
        };
        count(connector, question, &asked, began);
        self.keep(connector, &asked).await;
        asked
    }

    /// A provider that does not know schemas says so with 400 or 422, and is asked once more without one: the
    /// instructions describe the answer too, and it is read as strictly.
    async fn asked(
        &self,
        connector: &OpenConnector,
        question: &CompletionRequest,
        time: Duration,
    ) -> Result<String, LlmError> {
        let began = Instant::now();
        match self.sent(connector, question, true, time).await {
            Err(LlmError::Fault(fault)) if matches!(fault.status(), Some(400 | 422)) => {
                self.sent(connector, question, false, time.saturating_sub(began.elapsed())).await
            }
            settled => settled,
        }
    }

    async fn sent(
        &self,
        connector: &OpenConnector,
        question: &CompletionRequest,
        with_schema: bool,
        time: Duration,
    ) -> Result<String, LlmError> {
        let request = providers::request(connector, question, with_schema);
        // It only asks: a second time costs money, and changes nothing.
        let request = request.within(time).at_most(LARGEST).repeatable();
        let answer = self.outgoing.send(request).await?;
        providers::read(connector, &answer).map_err(LlmError::Unusable)
    }

    /// What a question shows of its connector for sure: its status follows.
    async fn keep(&self, connector: &OpenConnector, asked: &Result<String, LlmError>) {
        let (stored, is_active) = (&connector.stored, connector.stored.status == "active");
        let error = match asked {
            Ok(_) if !is_active => None,
            Err(LlmError::Fault(fault)) if is_active && is_out_of_use(fault) => Some(describe_error(fault)),
            _ => return,
        };
        if let Err(fault) = record_check_at(&self.db, self.clock.now(), stored, error.as_deref()).await {
            tracing::warn!(%fault, connector = %stored.id, "what a question found out is not kept");
        }
    }
}

fn is_out_of_use(fault: &Error) -> bool {
    matches!(fault, Error::Unreachable(_)) || matches!(fault.status(), Some(401 | 403 | 404))
}

fn count(
    connector: &OpenConnector,
    question: &CompletionRequest,
    asked: &Result<String, LlmError>,
    began: Instant,
) {
    let (kind, purpose) = (connector.kind.name, question.purpose);
    let labels = [("connector_type", kind), ("purpose", purpose), ("outcome", outcome(asked))];
    metrics::counter!("guardengine_llm_requests_total", &labels).increment(1);
    metrics::histogram!("guardengine_llm_duration_seconds", "purpose" => purpose).record(began.elapsed());
    if let Err(fault) = asked {
        tracing::warn!(%fault, connector = %connector.stored.id, purpose, "a language model did not answer");
    }
}

const fn outcome(asked: &Result<String, LlmError>) -> &'static str {
    match asked {
        Ok(_) => "answered",
        Err(LlmError::Busy | LlmError::Fault(Error::Busy)) => "busy",
        Err(LlmError::Fault(Error::Resting(_))) => "resting",
        Err(LlmError::Fault(Error::TimedOut(_))) => "timed_out",
        Err(LlmError::Fault(Error::Status(_))) => "refused",
        Err(LlmError::Fault(_)) => "failed",
        Err(LlmError::Unusable(_)) => "unusable",
    }
}
