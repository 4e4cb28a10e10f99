//! Signs: what a rule saw, before a guardrail makes findings of it.

use std::borrow::Cow;

use crate::{span::Span, text::Transform};

/// Something in a part that speaks for a guardrail without any model.
#[derive(Clone, Debug, PartialEq)]
pub struct Sign {
    /// Of the texts that show it, how many are of that kind (0 to 1).
    pub precision: f32,
    /// Where, in bytes of the original.
    pub span: Span,
    /// What was recognised, for people.
    pub evidence: Cow<'static, str>,
}

/// The chance that at least one of two independent signs is right (noisy-or; Pearl, "Probabilistic Reasoning in
/// Intelligent Systems", 1988, section 4.3.2).
pub fn noisy_or(one: f32, other: f32) -> f32 {
    1.0 - (1.0 - one) * (1.0 - other)
}

/// `what`, with the transforms behind which it stood: `the term "alpha" behind base64`.
pub fn told(what: impl Into<Cow<'static, str>>, transforms: &[Transform]) -> Cow<'static, str> {
    let what = what.into();
    let hiding = transforms.iter().filter(|transform| **transform != Transform::Normalized);
    let names: Vec<&str> = hiding.map(|transform| transform.name()).collect();
    if names.is_empty() { what } else { format!("{what} behind {}", names.join(", ")).into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_even_signs_are_surer_than_one() {
        assert!((noisy_or(0.5, 0.5) - 0.75).abs() < 1e-6);
        assert!((noisy_or(0.0, 0.7) - 0.7).abs() < 1e-6);
    }

    #[test]
    fn plain_text_is_behind_nothing() {
        assert_eq!(told("wording", &[Transform::Normalized]), "wording");
    }
}
