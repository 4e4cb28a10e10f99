//! LLM reasoning: a second opinion on a text, from the organisation's own language model.
//!
//! What of the text is shown is [`Material`]; what the model is told, and how strictly its answer is read, stands in
//! [`judgement`]. How far an opinion counts is for the engine to say (`policy::opinion`). A model that does not answer
//! in time, or answers something else, is 503: nothing is allowed unseen.

mod judgement;
mod material;

use std::time::Duration;

use guardengine_engine::{
    pii::mask::MaskKeys,
    policy::{Compiled, Opinion},
};
use uuid::Uuid;

use crate::{
    connectors::Connector,
    http::Error,
    llm::{LanguageModels, Unanswered},
};
use judgement::Judgement;
pub use material::{Manner, Material};

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
    pub async fn adviser(&self, org_id: Uuid, policy: &Compiled) -> Result<Connector, Error> {
        let named = policy.llm_reasoning().connector_id.as_deref();
        let named = named.map(str::parse).transpose().map_err(Error::internal)?;
        self.models.of_organisation(org_id, named).await
    }

    /// What `adviser` says of a text, about the guardrails of `policy` that are arguable.
    pub async fn opinion(
        &self,
        adviser: &Connector,
        policy: &Compiled,
        material: &Material,
        keys: &MaskKeys,
    ) -> Result<Opinion, Error> {
        let judgement = Judgement::on(material, policy.arguable().collect());
        let answer = self.models.ask(adviser, judgement.question(), self.time).await;
        let opinion = answer.and_then(|answer| judgement.read(&answer, keys).map_err(Unanswered::Unusable));
        opinion.map_err(|fault| {
            tracing::error!(%fault, connector = %adviser.stored.id, "not judged: no second opinion");
            Error::unavailable("LLM reasoning is unavailable")
        })
    }
}

/// A connector as a decision names what decided: its type and its model.
pub fn name(adviser: &Connector) -> String {
    let model = adviser.kind.model.map_or("", |field| adviser.text(field));
    format!("{}:{model}", adviser.kind.name)
}
