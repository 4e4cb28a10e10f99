//! Evidence that a rule found, before a guardrail turns it into findings.

use std::borrow::Cow;

use crate::{span::Span, text::Transform};

/// Evidence for a guardrail that needs no model.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleMatch {
    /// Share of the texts with this evidence that the guardrail means, 0 to 1.
    pub precision: f32,
    /// Location in the original text, in bytes.
    pub span: Span,
    /// Description for people.
    pub evidence: Cow<'static, str>,
}

/// Returns the probability that at least one of two independent findings is right (noisy-or; Pearl, "Probabilistic
/// Reasoning in Intelligent Systems", 1988, section 4.3.2).
pub fn noisy_or(one: f32, other: f32) -> f32 {
    1.0 - (1.0 - one) * (1.0 - other)
}

/// Returns `what` with the encodings that were undone to find it: `the term "alpha" behind base64`.
pub fn with_encoding(what: impl Into<Cow<'static, str>>, transforms: &[Transform]) -> Cow<'static, str> {
    let what = what.into();
    let encodings = transforms.iter().filter(|transform| **transform != Transform::Normalized);
    let names: Vec<&str> = encodings.map(|transform| transform.name()).collect();
    if names.is_empty() { what } else { format!("{what} behind {}", names.join(", ")).into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_independent_findings_are_more_certain_than_one() {
        assert!((noisy_or(0.5, 0.5) - 0.75).abs() < 1e-6);
        assert!((noisy_or(0.0, 0.7) - 0.7).abs() < 1e-6);
    }

    #[test]
    fn plain_text_has_no_encoding() {
        assert_eq!(with_encoding("wording", &[Transform::Normalized]), "wording");
    }
}
