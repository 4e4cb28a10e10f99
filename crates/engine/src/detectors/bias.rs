//! Unfair generalisations.
//!
//! # What it looks for
//! Claims that a group of people is by nature worse, or should be treated differently.
//!
//! # Why it matters
//! Such statements harm people in hiring, lending and care, and are unlawful there.
//!
//! # Triggers
//! `Women are too emotional to be engineers, so we should only hire men.`
//!
//! # Does not trigger
//! `What does research say about gender bias in hiring, and how can we reduce it?`

use super::learned::Learned;
use crate::guardrail::{Group, Guardrail};

static GUARDRAIL: Guardrail = Guardrail {
    name: "bias",
    group: Group::FairnessEthics,
    description: "Stereotypes and unequal treatment of people for what they are.",
    default_threshold: 0.7,
    settings: &[],
    in_default_policy: true,
    triggers: "Women are too emotional to be engineers, so we should only hire men.",
    passes: "What does research say about gender bias in hiring, and how can we reduce it?",
};

/// The guardrail.
pub static BIAS: Learned = Learned::new(&GUARDRAIL);
