//! Scores of learned classifiers, as the engine takes them in.

use crate::span::Span;

/// The guardrails that have a learned score, in the order of a model's outputs.
pub const LABELS: [&str; 14] = [
    "prompt_injection",
    "model_jailbreak",
    "model_denial",
    "toxicity",
    "hate_speech",
    "nsfw",
    "violence",
    "self_harm",
    "religious_content",
    "copyright_infringement",
    "fraud",
    "spam",
    "bias",
    "impersonation",
];

/// The place of a guardrail among [`LABELS`].
pub fn label(name: &str) -> Option<usize> {
    LABELS.iter().position(|label| *label == name)
}

/// Calibrated probabilities, one for each of [`LABELS`].
pub type LabelScores = [f32; LABELS.len()];

/// The scores of one stretch of one view of one part.
#[derive(Clone, Debug)]
pub struct Scored {
    /// Index into the evidence's parts.
    pub part: usize,
    /// Index into that part's views ([`crate::text::Text::views`]).
    pub view: usize,
    /// What was scored, in bytes of the view's text; the whole view or a window of it.
    pub span: Span,
    /// The calibrated scores.
    pub scores: LabelScores,
}

/// Everything a classifier said about one request.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    /// Whole views and windows, in no particular order.
    pub scored: Vec<Scored>,
}
