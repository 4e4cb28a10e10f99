//! Verdicts: the result of an evaluation.

use serde::{Deserialize, Serialize};

use crate::{
    evidence::PublicSpan,
    pii::{Entity, mask::Strategies},
    text::Coverage,
};

/// Outcome for a text, from the mildest to the most severe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It is let through unchanged.
    Allow,
    /// It is let through with its PII masked.
    Mask,
    /// It waits for the user's confirmation.
    Challenge,
    /// It waits for a reviewer.
    Escalate,
    /// It stops.
    Block,
}

impl Outcome {
    /// Returns the name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Mask => "mask",
            Self::Challenge => "challenge",
            Self::Escalate => "escalate",
            Self::Block => "block",
        }
    }

    /// Returns whether the text is let through, masked or not.
    pub const fn allows(self) -> bool {
        matches!(self, Self::Allow | Self::Mask)
    }
}

/// A guardrail or rule that triggered.
#[derive(Clone, Debug, PartialEq)]
pub struct TriggeredGuardrail {
    /// Wire name of the guardrail, or `blocked_keyword`, `max_prompt_length` or `incomplete_coverage`.
    pub name: &'static str,
    /// 0 to 1.
    pub confidence: f32,
    /// Outcome for this text.
    pub outcome: Outcome,
    /// Locations in code points; at most [`TriggeredGuardrail::MAX_SPANS`].
    pub spans: Vec<PublicSpan>,
    /// Descriptions for people, unique, the most certain first. Never a private value.
    pub evidence: Vec<String>,
}

impl TriggeredGuardrail {
    /// Maximum number of listed locations.
    pub const MAX_SPANS: usize = 100;
}

/// Score of one guardrail of the policy.
#[derive(Clone, Debug, PartialEq)]
pub struct GuardrailScore {
    /// Wire name.
    pub name: &'static str,
    /// Highest confidence, 0 to 1.
    pub confidence: f32,
    /// Confidence from which it triggers.
    pub threshold: f32,
    /// Outcome when it triggers.
    pub outcome: Outcome,
}

impl GuardrailScore {
    /// Returns whether the confidence reaches the threshold.
    pub fn is_triggered(&self) -> bool {
        self.confidence > 0.0 && self.confidence >= self.threshold
    }
}

/// Entities to mask, and the strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Masking {
    /// Strategy for each type.
    pub strategies: Strategies,
    /// Entities to mask, for each part of the evidence.
    pub found: Vec<Vec<Entity>>,
}

/// The result of evaluating one request under one policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Outcome for the text.
    pub outcome: Outcome,
    /// Triggered guardrails and rules, the most severe and certain first.
    pub triggered: Vec<TriggeredGuardrail>,
    /// Every guardrail that ran, in the policy's order.
    pub scores: Vec<GuardrailScore>,
    /// Confidence of the decision, 0 to 1.
    pub confidence: f32,
    /// Risk, 0 to 1: the highest confidence among what triggered; below 0.3 when nothing did.
    pub risk: f32,
    /// Reason for people; `None` for an allowed text.
    pub reason: Option<String>,
    /// Whether the policy guards this direction.
    pub evaluated: bool,
    /// Outcome if no allowed keyword or exception had let the text through.
    pub without_exceptions: Option<Outcome>,
    /// What a language model changed and why, for people; `None` if none was asked or nothing changed.
    pub second_opinion: Option<String>,
    /// Masking before the text is let through.
    pub masking: Option<Masking>,
    /// What was scanned.
    pub coverage: Coverage,
}
