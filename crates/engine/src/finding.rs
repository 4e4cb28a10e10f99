//! What a detector found.

use std::borrow::Cow;

use crate::span::Span;

/// One finding of one guardrail.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Calibrated confidence, 0 to 1.
    pub confidence: f32,
    /// Index into the evidence's parts.
    pub part: usize,
    /// Where, in bytes of that part's original text; `None` where only the whole request is meant.
    pub span: Option<Span>,
    /// What was recognised, for people: a kind, a pattern's name, a view's transforms. Never a private value.
    pub evidence: Cow<'static, str>,
    /// Whether a learned score alone speaks for it, and no rule.
    pub is_learned: bool,
}
