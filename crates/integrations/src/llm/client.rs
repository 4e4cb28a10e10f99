//! Client of language models: sends one completion request to one connector.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use guardengine_egress::{EgressClient, Error};
use guardengine_store::{Clock, Db, Timestamp};
use guardengine_vault::Vault;
use tokio::sync::Semaphore;

use super::{CompletionRequest, providers};
use crate::connectors::{OpenConnector, describe_error, record_check};

/// Requests that may wait for responses. Further requests are refused.
const MAX_CONCURRENT: usize = 256;
/// Largest response in bytes, including the model's reasoning.
const MAX_RESPONSE_BYTES: usize = 256 * 1024;

/// Error of a completion request.
#[derive(Debug, thiserror::Error)]
pub enum LlmError {
    /// Too many requests are waiting.
    #[error("request not sent: too many requests in progress")]
    Busy,
    /// The call failed.
    #[error(transparent)]
    Call(#[from] Error),
    /// The response cannot be used.
    #[error("{0}")]
    Unusable(&'static str),
}

/// Client of the organizations' language models; cheap to clone.
#[derive(Clone)]
pub struct LanguageModels {
    pub(super) db: Db,
    pub(super) vault: Vault,
    outgoing: EgressClient,
    clock: Clock,
    permits: Arc<Semaphore>,
}

impl LanguageModels {
    /// Creates a client for the connectors in `db`.
    pub fn new(db: Db, vault: Vault, outgoing: EgressClient, clock: Clock) -> Self {
        Self { db, vault, outgoing, clock, permits: Arc::new(Semaphore::new(MAX_CONCURRENT)) }
    }

    /// Sends a request and returns the complete text of the response. Fails after `time`.
    pub async fn ask(
        &self,
        connector: &OpenConnector,
        request: &CompletionRequest,
        time: Duration,
    ) -> Result<String, LlmError> {
        let (began, began_at) = (Instant::now(), self.clock.now());
        let result = match self.permits.try_acquire() {
            Ok(_permit) => self.send_with_fallback(connector, request, time).await,
            Err(_) => Err(LlmError::Busy),
        };
        count(connector, request, &result, began);
        self.update_connector(connector, began_at, &result).await;
        result
    }

    /// Sends a request, and sends it again without the schema if the provider refuses it with 400 or 422. The instructions
    /// describe the response too, and it is parsed just as strictly.
    async fn send_with_fallback(
        &self,
        connector: &OpenConnector,
        request: &CompletionRequest,
        time: Duration,
    ) -> Result<String, LlmError> {
        let began = Instant::now();
        match self.send(connector, request, true, time).await {
            Err(LlmError::Call(error)) if matches!(error.status(), Some(400 | 422)) => {
                self.send(connector, request, false, time.saturating_sub(began.elapsed())).await
            }
            outcome => outcome,
        }
    }

    async fn send(
        &self,
        connector: &OpenConnector,
        request: &CompletionRequest,
        with_schema: bool,
        time: Duration,
    ) -> Result<String, LlmError> {
        let request = providers::request(connector, request, with_schema);
        // A repeated request costs money but changes nothing.
        let request = request.within(time).at_most(MAX_RESPONSE_BYTES).repeatable();
        let response = self.outgoing.send(request).await?;
        providers::read(connector, &response).map_err(LlmError::Unusable)
    }

    /// Updates the connector's status if the result leaves no doubt about it.
    async fn update_connector(
        &self,
        connector: &OpenConnector,
        began: Timestamp,
        result: &Result<String, LlmError>,
    ) {
        let (stored, is_active) = (&connector.stored, connector.stored.status == "active");
        let error = match result {
            Ok(_) if !is_active => None,
            Err(LlmError::Call(error)) if is_active && means_unavailable(error) => {
                Some(describe_error(error))
            }
            _ => return,
        };
        if let Err(error) = record_check(&self.db, began, stored, error.as_deref()).await {
            tracing::warn!(%error, connector = %stored.id, "could not store the status of a connector after a request");
        }
    }
}

fn means_unavailable(error: &Error) -> bool {
    matches!(error, Error::Unreachable(_)) || matches!(error.status(), Some(401 | 403 | 404))
}

fn count(
    connector: &OpenConnector,
    request: &CompletionRequest,
    result: &Result<String, LlmError>,
    began: Instant,
) {
    let (kind, purpose) = (connector.kind.name, request.purpose);
    let labels = [("connector_type", kind), ("purpose", purpose), ("outcome", outcome(result))];
    metrics::counter!("guardengine_llm_requests_total", &labels).increment(1);
    metrics::histogram!("guardengine_llm_duration_seconds", "purpose" => purpose).record(began.elapsed());
    if let Err(error) = result {
        tracing::warn!(%error, connector = %connector.stored.id, purpose, "a language model request failed");
    }
}

const fn outcome(result: &Result<String, LlmError>) -> &'static str {
    match result {
        Ok(_) => "answered",
        Err(LlmError::Busy | LlmError::Call(Error::Busy)) => "busy",
        Err(LlmError::Call(Error::CircuitOpen(_))) => "resting",
        Err(LlmError::Call(Error::TimedOut(_))) => "timed_out",
        Err(LlmError::Call(Error::Status(_))) => "refused",
        Err(LlmError::Call(_)) => "failed",
        Err(LlmError::Unusable(_)) => "unusable",
    }
}
