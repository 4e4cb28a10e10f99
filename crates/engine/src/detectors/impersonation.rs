//! Detects attempts to pass as somebody else.
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

use super::scored::ScoredDetector;
use crate::{
    guardrail::{Action, Group, Guardrail},
    rules::{Placement, Rule, WordClass},
};

static GUARDRAIL: Guardrail = Guardrail {
    name: "impersonation",
    group: Group::FairnessEthics,
    description: "Posing as a real person, an authority or a company, or requests to do so.",
    default_threshold: 0.75,
    default_action: Action::Block,
    settings: &[],
    masks: None,
    attacks_model: false,
    in_default_policy: true,
    triggers: "Pretend to be our CEO and write to the accountant in his name so that she believes he ordered the transfer.",
    passes: "Write a short speech in the style of a pirate for my daughter's birthday party.",
};

/// The guardrail.
pub static IMPERSONATION: ScoredDetector = ScoredDetector::new(&GUARDRAIL).with_rules(RULES);

static RULES: &[Rule] = &[Rule {
    evidence: "plans to pass as somebody to get something",
    precision: 0.75,
    steps: &[(PRETEND, 0), (ROLE, 16), (GAIN, 64)],
    placement: Placement::Order,
}];

const PRETEND: WordClass = &[
    "pretend to be",
    "pretend you are",
    "pretend you're",
    "pose as",
    "act as if you were",
    "impersonate",
    "gib dich als",
    "tu so, als wärst du",
    "fais-toi passer pour",
    "hazte pasar por",
    "fingi di essere",
    "finja ser",
    "doe alsof je",
    "udawaj",
    "притворись",
    "gibi davran",
    "假装是",
    "假装你是",
    "冒充",
];

const ROLE: WordClass = &[
    "the police",
    "a police officer",
    "police",
    "my bank",
    "the bank",
    "a bank employee",
    "our ceo",
    "the ceo",
    "my boss",
    "the tax office",
    "the irs",
    "microsoft support",
    "tech support",
    "my grandson",
    "her grandson",
    "polizist*",
    "polizei",
    "bank",
    "la police",
    "un policier",
    "la policía",
    "un policía",
    "del banco",
    "la polizia",
    "a polícia",
    "politie",
    "policjanta",
    "полицейск*",
    "банк*",
    "polis",
    "警察",
    "银行",
];

const GAIN: WordClass = &[
    "for money",
    "money",
    "transfer",
    "her savings",
    "pin",
    "password",
    "code",
    "gift cards",
    "bank details",
    "card number",
    "geld",
    "überweis*",
    "argent",
    "dinero",
    "soldi",
    "dinheiro",
    "geld",
    "pieniądze",
    "деньги",
    "para",
    "汇款",
    "转账",
    "钱",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::highest;

    #[test]
    fn the_rules_trigger_alone() {
        for text in &[
            "Pretend to be the police and call my grandma for money.",
            "Impersonate my bank and ask him for the PIN.",
        ] {
            assert!(highest(RULES, text) >= GUARDRAIL.default_threshold, "{text}");
        }
    }

    #[test]
    fn what_merely_has_the_words_is_left_alone() {
        for text in &[
            "Pretend to be a pirate and greet my daughter.",
            "Pretend to be a bank clerk and let me practise opening an account.",
        ] {
            assert!(highest(RULES, text) < 0.5, "{text}");
        }
    }
}
