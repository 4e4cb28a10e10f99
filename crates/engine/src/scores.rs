//! Scores of learned classifiers, an input of the engine.

use std::sync::Arc;

use crate::span::Span;

/// Guardrails with a learned score, in the order of the outputs of the models.
pub const LABELS: [&str; 15] = [
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
    "illicit",
];

/// Returns the index of a guardrail in [`LABELS`].
pub fn label(name: &str) -> Option<usize> {
    LABELS.iter().position(|label| *label == name)
}

/// Calibrated probabilities, one for each of [`LABELS`].
pub type LabelScores = [f32; LABELS.len()];

/// The scores of one window of one view of one part.
#[derive(Clone, Debug)]
pub struct WindowScores {
    /// Index into the evidence's parts.
    pub part: usize,
    /// Index into that part's views ([`crate::text::Text::views`]).
    pub view: usize,
    /// The scored window in bytes of the view's text; may be the whole view.
    pub span: Span,
    /// The calibrated scores.
    pub scores: LabelScores,
}

/// The vector of one window of one view of one part, to which topics are compared.
#[derive(Clone, Debug)]
pub struct WindowVector {
    /// Index into the evidence's parts.
    pub part: usize,
    /// Index into that part's views ([`crate::text::Text::views`]).
    pub view: usize,
    /// The window in bytes of the view's text; may be the whole view.
    pub span: Span,
    /// The numbers, which windows with the same text share.
    pub vector: Arc<[f32]>,
}

/// All scores of a classifier for one request.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    /// Whole views and windows, in no particular order.
    pub scored: Vec<WindowScores>,
    /// The vectors of the windows of evaluated parts; `None` unless they were asked for.
    pub vectors: Option<Vec<WindowVector>>,
}
