//! A finding of a detector.

use std::borrow::Cow;

use crate::span::Span;

/// One finding of one guardrail.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Calibrated confidence, 0 to 1.
    pub confidence: f32,
    /// Index into the evidence's parts.
    pub part: usize,
    /// Location in the original text of the part, in bytes; `None` if the finding is about the whole request.
    pub span: Option<Span>,
    /// Description for people: a PII type, a pattern's name, a view's transforms. Never a private value.
    pub evidence: Cow<'static, str>,
    /// True if it rests on a learned score alone, without a rule.
    pub is_learned: bool,
}
