//! Guardrails as they are declared: name, capabilities, defaults and settings.

use serde::{Deserialize, Serialize};

use crate::{scores, settings::Setting, sources::Sources};

/// Group of a guardrail.
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
    /// Definitions of the organization.
    CustomControls,
}

/// Direction of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From the user (or a document) to the model.
    Input,
    /// From the model to the user.
    Output,
}

/// What a policy does when a guardrail triggers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Stop the text.
    #[default]
    Block,
    /// Let the text through and report the finding.
    Allow,
    /// Stop the text until the user confirms it.
    Challenge,
    /// Stop the text until a reviewer decides.
    Escalate,
}

impl Action {
    /// Every action with its name in policies.
    pub const ALL: [(&'static str, Self); 4] = [
        ("Block", Self::Block),
        ("Allow", Self::Allow),
        ("Challenge", Self::Challenge),
        ("Escalate", Self::Escalate),
    ];
}

/// How a guardrail masks what it finds instead of acting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaskSettings {
    /// Name of the boolean setting that turns masking on.
    pub switch: &'static str,
    /// Name of the setting that chooses the strategy.
    pub strategy: &'static str,
    /// Default threshold while masking is on, 0 to 1.
    pub default_threshold: f32,
}

/// The declaration of a guardrail. Each detector file holds one; everything else is derived from it.
#[derive(Debug)]
pub struct Guardrail {
    /// Name in the API, as in the `guardrail` field of a policy.
    pub name: &'static str,
    /// Group in which consoles list it.
    pub group: Group,
    /// What it detects, in one sentence for policy authors.
    pub description: &'static str,
    /// Confidence from which findings trigger unless the policy sets another, 0 to 1.
    pub default_threshold: f32,
    /// Action unless the policy sets another.
    pub default_action: Action,
    /// Settings besides those that every guardrail has.
    pub settings: &'static [Setting],
    /// How it masks; `None` if it cannot. A guardrail that masks looks for private values, so a policy must not hold
    /// exceptions for it in clear text.
    pub masks: Option<MaskSettings>,
    /// Whether it detects attacks on models, which could also mislead the model that gives a second opinion.
    pub attacks_model: bool,
    /// Whether the built-in default policy includes it. Guardrails that need settings are left out.
    pub in_default_policy: bool,
    /// A text that triggers it under default settings; a test checks it. Empty if the guardrail needs settings.
    pub triggers: &'static str,
    /// A similar text that does not trigger it.
    pub passes: &'static str,
}

impl Guardrail {
    /// Returns the sources that it applies to unless a policy sets others. An encyclopedia may describe violence; it must
    /// not give orders to the model.
    pub const fn default_sources(&self) -> Sources {
        match self.group {
            Group::PromptSecurity | Group::DataProtection | Group::CustomControls => Sources::ALL,
            Group::ContentModeration | Group::LegalCompliance | Group::FairnessEthics => Sources::SAID,
        }
    }

    /// Returns whether classifiers give a score for it.
    pub fn has_score(&self) -> bool {
        scores::label(self.name).is_some()
    }
}
