//! Insults and abuse.
//!
//! # What it looks for
//! Words meant to hurt whoever reads them: insults, humiliation, harassment, in any of the languages the
//! classifier learned.
//!
//! # Why it matters
//! Abuse drives people away, and a product that repeats it owns it.
//!
//! # Triggers
//! `You are a worthless, disgusting idiot and everybody hates you.`
//!
//! # Does not trigger
//! `This bug is killing me, the stupid parser drops every second line.`

use super::learned::Learned;
use crate::guardrail::{Group, Guardrail};

static GUARDRAIL: Guardrail = Guardrail {
    name: "toxicity",
    group: Group::ContentModeration,
    description: "Insults, harassment, threats to dignity and abusive language towards a person.",
    default_threshold: 0.7,
    settings: &[],
    in_default_policy: true,
    triggers: "You are a worthless, disgusting idiot and everybody hates you.",
    passes: "This bug is killing me, the stupid parser drops every second line.",
};

/// The guardrail.
pub static TOXICITY: Learned = Learned::new(&GUARDRAIL);
