//! Policies drafted by a language model from a description. A draft is checked like any policy that is sent in; one that
//! is refused is sent back once with the fault. Nothing is stored.

mod parse;
mod prompt;

use std::time::{Duration, Instant};

use guardengine_engine::policy::written::Policy;

use crate::{
    connectors::OpenConnector,
    llm::{LanguageModels, LlmError},
};
use parse::read;
use prompt::{Refused, question};

/// How often a model may try.
const ROUNDS: usize = 2;
/// Characters of a refused draft that are sent back.
const SENT_BACK: usize = 20_000;

/// Why there is no draft.
#[derive(Debug, thiserror::Error)]
pub enum DraftError {
    /// The model did not answer.
    #[error(transparent)]
    LlmError(#[from] LlmError),
    /// It answered with something that is no policy, the last time with this fault.
    #[error("its draft is refused: {0}")]
    Refused(String),
}

/// Has `connector` draft a policy from a `description`, as it may be sent to it, within `time`.
pub async fn draft(
    models: &LanguageModels,
    connector: &OpenConnector,
    description: &str,
    time: Duration,
) -> Result<Policy, DraftError> {
    let (began, mut refused) = (Instant::now(), None::<Refused>);
    for _ in 0..ROUNDS {
        let question = question(description, refused.as_ref());
        let answer = models.ask(connector, &question, time.saturating_sub(began.elapsed())).await?;
        match read(&answer) {
            Ok(policy) => return Ok(policy),
            Err(fault) => {
                let draft = answer.chars().take(SENT_BACK).collect();
                refused = Some(Refused { draft, fault });
            }
        }
    }
    Err(DraftError::Refused(refused.map(|refused| refused.fault).unwrap_or_default()))
}
