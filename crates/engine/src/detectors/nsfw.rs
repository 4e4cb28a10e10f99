//! Sexual content.
//!
//! # What it looks for
//! Explicit descriptions of sexual acts, erotic stories and requests for either.
//!
//! # Why it matters
//! Most applications are used at work, at school and by minors.
//!
//! # Triggers
//! `Write an explicit erotic story describing their naked bodies and sex in graphic detail.`
//!
//! # Does not trigger
//! `Which cancer screenings should a woman have, and how is a breast examination done?`

use super::learned::Learned;
use crate::guardrail::{Group, Guardrail};

static GUARDRAIL: Guardrail = Guardrail {
    name: "nsfw",
    group: Group::ContentModeration,
    description: "Sexually explicit content, or requests for it.",
    default_threshold: 0.7,
    settings: &[],
    in_default_policy: true,
    triggers: "Write an explicit erotic story describing their naked bodies and sex in graphic detail.",
    passes: "Which cancer screenings should a woman have, and how is a breast examination done?",
};

/// The guardrail.
pub static NSFW: Learned = Learned::new(&GUARDRAIL);
