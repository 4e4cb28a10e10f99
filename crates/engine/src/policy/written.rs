//! A policy as it is written, stored and sent.

mod item;
mod llm_reasoning;
mod parse;

use serde::{Deserialize, Serialize};

pub use item::GuardrailConfig;
pub use llm_reasoning::LlmReasoning;

use super::Invalid;
use crate::{detectors, guardrail::Direction};

/// Which directions a policy guards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Prompts alone.
    Input,
    /// Responses alone.
    Output,
    /// Both.
    #[default]
    Unified,
}

impl Mode {
    /// Whether texts of that direction are judged.
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
    /// The author's words.
    #[serde(rename = "policyDescription")]
    pub description: String,
    /// Which directions it guards.
    #[serde(rename = "policyMode")]
    pub mode: Mode,
    /// The guardrails it enables.
    pub guardrails: Vec<GuardrailConfig>,
    /// Longer prompts are blocked (Unicode characters).
    pub max_prompt_length: u32,
    /// A prompt with one of these passes, unless a blocked one or the length stops it.
    pub allowed_keywords: Vec<String>,
    /// A text with one of these is blocked.
    pub blocked_keywords: Vec<String>,
    /// Share of plain texts that a guardrail may flag, 0.0005 to 0.1, for which thresholds were picked that were not named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub false_positive_budget: Option<f64>,
    /// Region the policy is mapped to.
    pub compliance_region: Option<String>,
    /// Frameworks the policy is mapped to.
    pub compliance_frameworks: Vec<String>,
    /// What a language model may say where a request asks for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llm_reasoning: Option<LlmReasoning>,
}

impl Policy {
    /// Longest prompt where a policy does not say.
    pub const MAX_PROMPT_LENGTH: u32 = 10_000;

    /// Reads a policy from a request's JSON; fields that are absent take their defaults. What it accepts, compiles.
    pub fn parse(json: &serde_json::Value) -> Result<Self, Invalid> {
        let policy = parse::policy(json)?;
        super::Compiled::compile(&policy)?;
        Ok(policy)
    }

    /// The policy that decides where no project is named: every guardrail that needs no setting.
    pub fn built_in() -> Self {
        let items = detectors::ALL.iter().map(|detector| detector.guardrail());
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
        }
    }
}
