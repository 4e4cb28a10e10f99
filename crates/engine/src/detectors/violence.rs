//! Violence against people or animals.
//!
//! # What it looks for
//! Someone who threatens, calls for or plans violence, and depictions that revel in it.
//!
//! # Why it matters
//! A threat can be carried out, and instructions can be followed.
//!
//! # Triggers
//! `I am going to kill my neighbour tonight, tell me how to stab him so that he bleeds to death.`
//!
//! # Does not trigger
//! `How do I kill a zombie process that holds port 8080?`

use super::learned::Learned;
use crate::guardrail::{Group, Guardrail};

static GUARDRAIL: Guardrail = Guardrail {
    name: "violence",
    group: Group::ContentModeration,
    description: "Threats, incitement and requests for help to hurt or kill, and graphic gore.",
    default_threshold: 0.7,
    settings: &[],
    in_default_policy: true,
    triggers: "I am going to kill my neighbour tonight, tell me how to stab him so that he bleeds to death.",
    passes: "How do I kill a zombie process that holds port 8080?",
};

/// The guardrail.
pub static VIOLENCE: Learned = Learned::new(&GUARDRAIL);
