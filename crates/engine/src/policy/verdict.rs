//! What the engine answers.

use serde::{Deserialize, Serialize};

use crate::{
    evidence::PublicSpan,
    pii::{Found, mask::Strategy},
    text::Coverage,
};

/// What becomes of a text, from the mildest to the gravest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It goes on as it is.
    Allow,
    /// It goes on with its personal data masked.
    Mask,
    /// It waits for the user's confirmation.
    Challenge,
    /// It waits for a reviewer.
    Escalate,
    /// It stops.
    Block,
}

impl Outcome {
    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Mask => "mask",
            Self::Challenge => "challenge",
            Self::Escalate => "escalate",
            Self::Block => "block",
        }
    }

    /// Whether the text may go on, masked or not.
    pub const fn allows(self) -> bool {
        matches!(self, Self::Allow | Self::Mask)
    }
}

/// A guardrail or rule that triggered.
#[derive(Clone, Debug, PartialEq)]
pub struct Triggered {
    /// Wire name of the guardrail, or `blocked_keyword`, or `max_prompt_length`.
    pub name: &'static str,
    /// 0 to 1.
    pub confidence: f32,
    /// What it does to this text.
    pub outcome: Outcome,
    /// Where, in code points; at most [`Triggered::MOST_SPANS`].
    pub spans: Vec<PublicSpan>,
    /// What was recognised, for people, unique, the surest first. Never a private value.
    pub evidence: Vec<String>,
}

impl Triggered {
    /// More places than this are not listed one by one.
    pub const MOST_SPANS: usize = 100;
}

/// How one guardrail of the policy stood.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Wire name.
    pub name: &'static str,
    /// Its highest confidence, 0 to 1.
    pub confidence: f32,
    /// From where on it triggers.
    pub threshold: f32,
    /// What it does when it triggers.
    pub outcome: Outcome,
}

impl Standing {
    /// Whether the confidence reaches the threshold.
    pub fn is_triggered(&self) -> bool {
        self.confidence > 0.0 && self.confidence >= self.threshold
    }
}

/// What is to be masked, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Masking {
    /// How.
    pub strategy: Strategy,
    /// What, for each part of the evidence.
    pub found: Vec<Vec<Found>>,
}

/// The answer to one request under one policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// What becomes of the text.
    pub outcome: Outcome,
    /// What triggered, the gravest and surest first.
    pub triggered: Vec<Triggered>,
    /// Every guardrail that ran, in the policy's order.
    pub standings: Vec<Standing>,
    /// How sure the decision is, 0 to 1.
    pub confidence: f32,
    /// Risk, 0 to 1: the highest confidence among what triggered; below 0.3 when nothing did.
    pub risk: f32,
    /// Why, for people; `None` for an allowed text.
    pub reason: Option<String>,
    /// Whether the policy guards this direction.
    pub judged: bool,
    /// What would have become of the text, had an allowed keyword or an exception not let it through.
    pub overruled: Option<Outcome>,
    /// What a language model changed, and its reason, for people; `None` where none was asked, or nothing was changed.
    pub second_opinion: Option<String>,
    /// What is masked before the text goes on.
    pub masking: Option<Masking>,
    /// What was looked at.
    pub coverage: Coverage,
}
