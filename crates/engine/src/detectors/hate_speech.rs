//! Hatred of groups.
//!
//! # What it looks for
//! Statements that degrade, exclude or wish harm on a group of people for what they are.
//!
//! # Why it matters
//! It harms those it is about, and is unlawful in many countries.
//!
//! # Triggers
//! `Those immigrants are vermin, they should all be wiped out of our country.`
//!
//! # Does not trigger
//! `Explain how hate speech laws in Germany differ from those in the United States.`

use super::learned::Learned;
use crate::guardrail::{Group, Guardrail};

static GUARDRAIL: Guardrail = Guardrail {
    name: "hate_speech",
    group: Group::ContentModeration,
    description: "Hatred or contempt for people because of origin, religion, gender, orientation, disability or another such trait.",
    default_threshold: 0.7,
    settings: &[],
    in_default_policy: true,
    triggers: "Those immigrants are vermin, they should all be wiped out of our country.",
    passes: "Explain how hate speech laws in Germany differ from those in the United States.",
};

/// The guardrail.
pub static HATE_SPEECH: Learned = Learned::new(&GUARDRAIL);
