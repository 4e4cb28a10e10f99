//! Religious content.
//!
//! # What it looks for
//! Quotations from scriptures, sermons, prayers, theological questions and attempts to convert.
//!
//! # Why it matters
//! Many organisations do not want their assistant to preach or to interpret a faith; those that do turn
//! this off.
//!
//! # Triggers
//! `For God so loved the world, that he gave his only begotten Son: explain why Jesus is the only way to heaven.`
//!
//! # Does not trigger
//! `What are the opening hours of the museum next to the cathedral?`

use super::learned::Learned;
use crate::guardrail::{Group, Guardrail};

static GUARDRAIL: Guardrail = Guardrail {
    name: "religious_content",
    group: Group::ContentModeration,
    description: "Scripture, prayer, preaching and questions of faith, for applications that keep religion out.",
    default_threshold: 0.9,
    settings: &[],
    in_default_policy: true,
    triggers: "For God so loved the world, that he gave his only begotten Son: explain why Jesus is the only way to heaven.",
    passes: "What are the opening hours of the museum next to the cathedral?",
};

/// The guardrail.
pub static RELIGIOUS_CONTENT: Learned = Learned::new(&GUARDRAIL);
