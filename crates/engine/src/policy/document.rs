//! Policies as they are written, stored and sent.

mod coverage_rule;
mod guardrail_config;
mod llm_reasoning;
mod parse;

use serde::{Deserialize, Serialize};

pub use coverage_rule::CoverageRule;
pub use guardrail_config::GuardrailConfig;
pub use llm_reasoning::LlmReasoning;

use super::FieldError;
use crate::{detectors, guardrail::Direction};

/// Directions that a policy applies to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Prompts.
    Input,
    /// Responses.
    Output,
    /// Both.
    #[default]
    Unified,
}

impl Mode {
    /// Returns whether texts of this direction are evaluated.
    pub fn guards(self, direction: Direction) -> bool {
        match self {
            Self::Unified => true,
            Self::Input => direction == Direction::Input,
            Self::Output => direction == Direction::Output,
        }
    }
}

/// A policy. Field names are those of the wire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    /// 1 to 100 characters, unique within an organisation.
    #[serde(rename = "policyName")]
    pub name: String,
    /// Description by the author.
    #[serde(rename = "policyDescription")]
    pub description: String,
    /// Directions that it applies to.
    #[serde(rename = "policyMode")]
    pub mode: Mode,
    /// Its guardrails.
    pub guardrails: Vec<GuardrailConfig>,
    /// Maximum prompt length in characters. Longer prompts are blocked.
    pub max_prompt_length: u32,
    /// A prompt with one of these skips guardrail blocks, but not blocked keywords or the maximum length.
    pub allowed_keywords: Vec<String>,
    /// A text with one of these is blocked.
    pub blocked_keywords: Vec<String>,
    /// Maximum share of harmless texts that a guardrail may flag, 0.0005 to 0.1. Thresholds that were not set are chosen
    /// to meet it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub false_positive_budget: Option<f64>,
    /// Region of compliance.
    pub compliance_region: Option<String>,
    /// Frameworks of compliance.
    pub compliance_frameworks: Vec<String>,
    /// Second opinions, for requests that ask for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llm_reasoning: Option<LlmReasoning>,
    /// Action on a text that was not read completely.
    #[serde(default = "CoverageRule::of_earlier_policies")]
    pub incomplete_coverage: CoverageRule,
}

impl Policy {
    /// Default maximum prompt length.
    pub const MAX_PROMPT_LENGTH: u32 = 10_000;

    /// Reads a policy from JSON. Absent fields take their defaults. Checks each field, but not that the policy compiles.
    pub fn read(json: &serde_json::Value) -> Result<Self, FieldError> {
        parse::policy(json)
    }

    /// Parses a policy from JSON. Absent fields take their defaults. Returns only policies that compile, which takes
    /// long for large ones.
    pub fn parse(json: &serde_json::Value) -> Result<Self, FieldError> {
        let policy = Self::read(json)?;
        super::CompiledPolicy::compile_new(&policy)?;
        Ok(policy)
    }

    /// Returns the policy for requests without a project: every guardrail that needs no settings.
    pub fn built_in() -> Self {
        let items = detectors::DETECTORS.iter().map(|detector| detector.guardrail());
        Self {
            name: "default".to_owned(),
            description: "Every guardrail that needs no setting, at its default threshold.".to_owned(),
            mode: Mode::Unified,
            guardrails: items
                .filter(|guardrail| guardrail.in_default_policy)
                .map(GuardrailConfig::of)
                .collect(),
            max_prompt_length: Self::MAX_PROMPT_LENGTH,
            allowed_keywords: Vec::new(),
            blocked_keywords: Vec::new(),
            false_positive_budget: None,
            compliance_region: None,
            compliance_frameworks: Vec::new(),
            llm_reasoning: None,
            incomplete_coverage: CoverageRule::default(),
        }
    }
}
