//! Policy drafts that a language model writes from a description.
//!
//! A draft is validated like any submitted policy. An invalid draft is sent back once with the error. Nothing is stored.

mod parse;
mod prompt;

use std::time::{Duration, Instant};

use guardengine_engine::policy::document::Policy;

use guardengine_integrations::{
    connectors::OpenConnector,
    llm::{LanguageModels, LlmError},
};
use parse::parse;
use prompt::{Refused, request};

/// Maximum number of attempts.
const MAX_ATTEMPTS: usize = 2;
/// Maximum number of characters of an invalid draft to send back.
const MAX_DRAFT_CHARS: usize = 20_000;

/// Reason why there is no draft.
#[derive(Debug, thiserror::Error)]
pub enum DraftError {
    /// The model failed.
    #[error(transparent)]
    LlmError(#[from] LlmError),
    /// The model returned no valid policy. Holds the error of the last attempt.
    #[error("the draft is not a valid policy: {0}")]
    Refused(String),
}

/// Asks `connector` to draft a policy from `description` within `timeout`. The caller masks PII in the description.
pub async fn draft(
    models: &LanguageModels,
    connector: &OpenConnector,
    description: &str,
    timeout: Duration,
) -> Result<Policy, DraftError> {
    let (began, mut refused) = (Instant::now(), None::<Refused>);
    for _ in 0..MAX_ATTEMPTS {
        let request = request(description, refused.as_ref());
        let answer = models.ask(connector, &request, timeout.saturating_sub(began.elapsed())).await?;
        let text = answer.clone();
        // Compiling takes long for large policies. A task that panicked counts as a draft that is not valid.
        let parsed = tokio::task::spawn_blocking(move || parse(&text)).await;
        match parsed.unwrap_or_else(|error| Err(error.to_string())) {
            Ok(policy) => return Ok(policy),
            Err(error) => {
                let draft = answer.chars().take(MAX_DRAFT_CHARS).collect();
                refused = Some(Refused { draft, error });
            }
        }
    }
    Err(DraftError::Refused(refused.map(|refused| refused.error).unwrap_or_default()))
}
