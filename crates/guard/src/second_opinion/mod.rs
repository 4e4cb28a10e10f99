//! LLM reasoning: second opinions on a text from the organization's own language model.
//!
//! [`Excerpt`] selects the part of the text that the model sees. [`OpinionPrompt`] holds the instructions and the strict
//! parser of the answer. The engine (`policy::opinion`) limits how far an opinion counts. A model that does not answer in
//! time or gives an invalid answer fails the call, so that nothing is allowed without evaluation.

mod evaluate;
mod excerpt;
mod prompt;

use std::time::Duration;

use guardengine_engine::{
    pii::mask::MaskKeys,
    policy::{CompiledPolicy, Opinion},
};
use uuid::Uuid;

use crate::Error;
pub use excerpt::{Excerpt, ExcerptOptions};
use guardengine_integrations::{
    connectors::OpenConnector,
    llm::{LanguageModels, LlmError},
};
use prompt::OpinionPrompt;

/// Client for second opinions.
pub struct SecondOpinions {
    models: LanguageModels,
    timeout: Duration,
}

impl SecondOpinions {
    /// Creates a client that waits for `models` at most `timeout`.
    pub const fn new(models: LanguageModels, timeout: Duration) -> Self {
        Self { models, timeout }
    }

    /// Returns the connector that `policy` uses for second opinions; an error without an active connector.
    pub async fn provider(&self, org_id: Uuid, policy: &CompiledPolicy) -> Result<OpenConnector, Error> {
        let named = policy.llm_reasoning().connector_id.as_deref();
        let named = named.map(str::parse).transpose().map_err(Error::internal)?;
        Ok(self.models.of_organisation(org_id, named).await?)
    }

    /// Returns the opinion of `provider` on a text, for the guardrails of `policy` that allow second opinions. Returns
    /// an error if the model fails.
    pub async fn opinion(
        &self,
        provider: &OpenConnector,
        policy: &CompiledPolicy,
        excerpt: &Excerpt,
        keys: &MaskKeys,
    ) -> Result<Opinion, Error> {
        let prompt = OpinionPrompt::new(excerpt, policy.arguable().collect());
        let answer = self.models.ask(provider, prompt.request(), self.timeout).await;
        let opinion =
            answer.and_then(|answer| prompt.parse(&answer, policy, keys).map_err(LlmError::Unusable));
        opinion.map_err(|error| {
            tracing::error!(%error, connector = %provider.stored.id, "could not get a second opinion");
            Error::unavailable("LLM reasoning is unavailable")
        })
    }
}

/// Returns the connector's type and model, as part of `model_version`.
pub fn name(provider: &OpenConnector) -> String {
    let model = provider.kind.model.map_or("", |field| provider.text(field));
    format!("{}:{model}", provider.kind.name)
}
