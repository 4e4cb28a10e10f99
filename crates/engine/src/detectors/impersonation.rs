//! Passing as somebody else.
//!
//! # What it looks for
//! Messages that claim a false identity, and requests to write in the name of a real person or office in
//! order to deceive.
//!
//! # Why it matters
//! People act on who speaks: a forged voice of the tax office or of a chief executive moves money.
//!
//! # Triggers
//! `Pretend to be our CEO and write to the accountant in his name so that she believes he ordered the transfer.`
//!
//! # Does not trigger
//! `Write a short speech in the style of a pirate for my daughter's birthday party.`

use super::learned::Learned;
use crate::guardrail::{Group, Guardrail};

static GUARDRAIL: Guardrail = Guardrail {
    name: "impersonation",
    group: Group::FairnessEthics,
    description: "Posing as a real person, an authority or a company, or requests to do so.",
    default_threshold: 0.7,
    settings: &[],
    in_default_policy: true,
    triggers: "Pretend to be our CEO and write to the accountant in his name so that she believes he ordered the transfer.",
    passes: "Write a short speech in the style of a pirate for my daughter's birthday party.",
};

/// The guardrail.
pub static IMPERSONATION: Learned = Learned::new(&GUARDRAIL);
