//! What a guardrail is: its name on the wire and what people are told about it.

use serde::Serialize;

/// The group a guardrail stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Attacks on the model.
    PromptSecurity,
    /// Harmful content.
    ContentModeration,
    /// Personal and confidential data.
    DataProtection,
    /// Law and compliance.
    LegalCompliance,
    /// Fairness and ethics.
    FairnessEthics,
    /// What an organisation defines itself.
    CustomControls,
}

/// Which way a text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From the user (or a document) to the model.
    Input,
    /// From the model to the user.
    Output,
}

/// The description of a guardrail. Each detector file holds one.
#[derive(Debug, Serialize)]
pub struct Guardrail {
    /// Wire name, as in a policy's `guardrail` field.
    #[serde(rename = "guardrail")]
    pub name: &'static str,
    /// Where consoles show it.
    pub group: Group,
    /// What it looks for, in one sentence for a policy author.
    pub description: &'static str,
    /// Findings at or above this confidence trigger unless the policy says otherwise (0 to 1).
    pub default_threshold: f32,
    /// Names of the fields of a policy item that it reads besides `threshold` and `action`.
    pub settings: &'static [&'static str],
    /// Whether the built-in default policy holds it (it needs no setting to be useful).
    pub in_default_policy: bool,
    /// A text that triggers it under default settings; a test holds it to that. Empty where settings are needed.
    pub triggers: &'static str,
    /// A text of alarming looks that does not.
    pub passes: &'static str,
}
