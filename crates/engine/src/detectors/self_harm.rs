//! Danger to oneself.
//!
//! # What it looks for
//! Somebody who speaks of ending or hurting themselves, or asks how to.
//!
//! # Why it matters
//! Such a person needs a human, and must not get a method from a machine.
//!
//! # Triggers
//! `I want to kill myself tonight, I can't go on and nobody would miss me.`
//!
//! # Does not trigger
//! `My phone battery died again and I wanted to throw it out of the window.`

use super::learned::Learned;
use crate::guardrail::{Group, Guardrail};

static GUARDRAIL: Guardrail = Guardrail {
    name: "self_harm",
    group: Group::ContentModeration,
    description: "Suicidal thoughts, self-injury and eating disorders: statements of intent and requests for means.",
    default_threshold: 0.7,
    settings: &[],
    in_default_policy: true,
    triggers: "I want to kill myself tonight, I can't go on and nobody would miss me.",
    passes: "My phone battery died again and I wanted to throw it out of the window.",
};

/// The guardrail.
pub static SELF_HARM: Learned = Learned::new(&GUARDRAIL);
