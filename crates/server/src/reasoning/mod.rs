//! LLM reasoning: a second opinion on a text, from the organisation's own language model.
//!
//! What of the text is shown is [`Excerpt`]; what the model is told, and how strictly its answer is read, stands in
//! [`judgement`]. How far an opinion counts is for the engine to say (`policy::opinion`). A model that does not answer
//! in time, or answers something else, is 503: nothing is allowed unseen.

mod excerpt;
mod prompt;

use std::time::Duration;

use guardengine_engine::{
    pii::mask::MaskKeys,
    policy::{Compiled, Opinion},
};
use uuid::Uuid;

use crate::{
    connectors::OpenConnector,
    http::Error,
    llm::{LanguageModels, LlmError},
};
pub use excerpt::{Excerpt, ExcerptOptions};
use prompt::OpinionPrompt;

/// Whom to ask for opinions, and for how long.
pub struct Reasoning {
    models: LanguageModels,
    time: Duration,
}

impl Reasoning {
    /// Asks `models`, each for at most `time`.
    pub const fn new(models: LanguageModels, time: Duration) -> Self {
        Self { models, time }
    }

    /// Whom `policy` has asked in an organisation; 400 where there is nobody.
    pub async fn provider(&self, org_id: Uuid, policy: &Compiled) -> Result<OpenConnector, Error> {
        let named = policy.llm_reasoning().connector_id.as_deref();
        let named = named.map(str::parse).transpose().map_err(Error::internal)?;
        self.models.of_organisation(org_id, named).await
    }

    /// What `provider` says of a text, about the guardrails of `policy` that are arguable.
    pub async fn opinion(
        &self,
        provider: &OpenConnector,
        policy: &Compiled,
        material: &Excerpt,
        keys: &MaskKeys,
    ) -> Result<Opinion, Error> {
        let judgement = OpinionPrompt::on(material, policy.arguable().collect());
        let answer = self.models.ask(provider, judgement.question(), self.time).await;
        let opinion = answer.and_then(|answer| judgement.read(&answer, keys).map_err(LlmError::Unusable));
        opinion.map_err(|fault| {
            tracing::error!(%fault, connector = %provider.stored.id, "not judged: no second opinion");
            Error::unavailable("LLM reasoning is unavailable")
        })
    }
}

/// A connector as a decision names what decided: its type and its model.
pub fn name(provider: &OpenConnector) -> String {
    let model = provider.kind.model.map_or("", |field| provider.text(field));
    format!("{}:{model}", provider.kind.name)
}
