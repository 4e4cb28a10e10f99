//! The result of one case of a run, kept without its text.

use guardengine_engine::guardrail::Direction;
use guardengine_engine::policy::Verdict;
use guardengine_evaluation::{LabeledText, Prediction, text_result::TextResult};
use serde::{Deserialize, Serialize};

use super::cases;

/// Result of one case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CaseResult {
    /// `allow`, `mask`, `block`, `challenge` or `escalate`.
    pub decision: String,
    /// `input` or `output`.
    pub direction: String,
    /// True if something should flag the case; `None` if that is unknown.
    pub should_flag: Option<bool>,
    /// Labels and confidences.
    pub text: TextResult,
}

/// A wrong decision about a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// It should not have triggered.
    FalsePositive,
    /// It should have triggered.
    Missed,
}

impl Mistake {
    /// Returns the name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FalsePositive => "false_positive",
            Self::Missed => "missed",
        }
    }

    const fn of(should: Option<bool>, does: bool) -> Option<Self> {
        match (should, does) {
            (Some(true), false) => Some(Self::Missed),
            (Some(false), true) => Some(Self::FalsePositive),
            _ => None,
        }
    }
}

/// Returns whether a confidence triggers at a threshold.
pub fn triggers(confidence: f32, threshold: f32) -> bool {
    confidence >= least(threshold)
}

/// Returns the least confidence that triggers: 0 never does.
pub const fn least(threshold: f32) -> f32 {
    threshold.max(f32::MIN_POSITIVE)
}

impl CaseResult {
    /// Creates the result of a case.
    pub fn new(case: &LabeledText, verdict: &Verdict) -> Self {
        let scores = verdict.scores.iter().map(|score| (score.name.to_owned(), score.confidence));
        let flagged = verdict.outcome.name() != "allow";
        let prediction = Prediction { confidences: scores.collect(), flagged, ..Prediction::default() };
        let direction = if cases::direction(&case.role) == Direction::Output { "output" } else { "input" };
        Self {
            decision: verdict.outcome.name().to_owned(),
            direction: direction.to_owned(),
            should_flag: cases::should_flag(case),
            // Identifiers are the author's, and may be content.
            text: TextResult { id: String::new(), ..TextResult::new(case, &prediction) },
        }
    }

    /// Returns how the decision is wrong.
    pub const fn mistake(&self) -> Option<Mistake> {
        Mistake::of(self.should_flag, self.text.flagged)
    }

    /// Returns how a guardrail is wrong at a threshold.
    pub fn mistake_of(&self, guardrail: &str, threshold: f32) -> Option<Mistake> {
        let does = triggers(self.text.confidence(guardrail), threshold);
        Mistake::of(self.text.holds(guardrail), does)
    }
}
