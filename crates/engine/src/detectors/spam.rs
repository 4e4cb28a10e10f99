//! Detects unwanted advertising.
//!
//! # What it looks for
//! Texts that sell to people who did not ask: miracle offers, prizes, chain letters, comment spam.
//!
//! # Why it matters
//! It wastes readers' time, and sending it is unlawful in many countries.
//!
//! # Triggers
//! `CONGRATULATIONS!!! You have WON a FREE iPhone! Click here NOW to claim your prize, limited offer, act fast!!!`
//!
//! # Does not trigger
//! `Could you send me the newsletter about your spring sale again? The link did not work.`

use super::scored::ScoredDetector;
use crate::guardrail::{Action, Group, Guardrail};

static GUARDRAIL: Guardrail = Guardrail {
    name: "spam",
    group: Group::LegalCompliance,
    description: "Bulk advertising, chain letters, fake offers and link drops.",
    default_threshold: 0.8,
    default_action: Action::Block,
    settings: &[],
    masks: None,
    attacks_model: false,
    in_default_policy: true,
    triggers: "CONGRATULATIONS!!! You have WON a FREE iPhone! Click here NOW to claim your prize, limited offer, act fast!!!",
    passes: "Could you send me the newsletter about your spring sale again? The link did not work.",
};

/// The guardrail.
pub static SPAM: ScoredDetector = ScoredDetector::new(&GUARDRAIL);
