//! Detects hatred of groups.
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

mod words;

use words::{GROUP, HATE, KILL, SLUR, VILE};

use super::scored::ScoredDetector;
use crate::{
    guardrail::{Action, Group, Guardrail},
    rules::{Placement, Rule},
};

static GUARDRAIL: Guardrail = Guardrail {
    name: "hate_speech",
    group: Group::ContentModeration,
    description: "Hatred or contempt for people because of origin, religion, gender, orientation, disability or another such trait.",
    default_threshold: 0.8,
    default_action: Action::Block,
    settings: &[],
    masks: None,
    attacks_model: false,
    in_default_policy: true,
    triggers: "Those immigrants are vermin, they should all be wiped out of our country.",
    passes: "Explain how hate speech laws in Germany differ from those in the United States.",
};

/// The guardrail.
pub static HATE_SPEECH: ScoredDetector =
    ScoredDetector::new(&GUARDRAIL).with_rules(RULES).discount_documents();

static RULES: &[Rule] = &[
    Rule {
        evidence: "says that it hates a group",
        precision: 0.82,
        steps: &[(HATE, 0), (GROUP, 12)],
        placement: Placement::Phrase,
    },
    Rule {
        evidence: "degrades a group or wishes it dead",
        precision: 0.8,
        steps: &[(GROUP, 0), (VILE, 16)],
        placement: Placement::Phrase,
    },
    Rule {
        evidence: "calls for violence against a group",
        precision: 0.8,
        steps: &[(KILL, 0), (GROUP, 6)],
        placement: Placement::Phrase,
    },
    Rule { evidence: "uses a slur", precision: 0.72, steps: &[(SLUR, 0)], placement: Placement::Phrase },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::highest;

    #[test]
    fn the_rules_trigger_alone() {
        for text in &[
            "I hate Muslims.",
            "Those immigrants are vermin.",
            "All gays should be killed.",
            "Ich hasse Ausländer",
            "Los inmigrantes son basura",
            "黑人都该死",
        ] {
            assert!(highest(RULES, text) >= GUARDRAIL.default_threshold, "{text}");
        }
    }

    #[test]
    fn what_merely_has_the_words_is_left_alone() {
        for text in &[
            "I hate Mondays.",
            "No immigrants are vermin.",
            "She wrote that \"jews are rats\" is a slogan of the 1930s.",
            "Women are engineers, too.",
            "I love gay people.",
        ] {
            assert!(highest(RULES, text) < 0.5, "{text}");
        }
    }
}
