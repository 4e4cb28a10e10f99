//! Detects unfair generalizations.
//!
//! # What it looks for
//! Claims that a group of people is by nature worse, or should be treated differently.
//!
//! # Why it matters
//! Such statements harm people in hiring, lending and care, and are unlawful there.
//!
//! # Triggers
//! `Women are too emotional to be engineers, so we should only hire men.`
//!
//! # Does not trigger
//! `What does research say about gender bias in hiring, and how can we reduce it?`

use super::scored::ScoredDetector;
use crate::{
    guardrail::{Action, Group, Guardrail},
    rules::{Placement, Rule, WordClass},
};

static GUARDRAIL: Guardrail = Guardrail {
    name: "bias",
    group: Group::FairnessEthics,
    description: "Stereotypes and unequal treatment of people for what they are.",
    default_threshold: 0.8,
    default_action: Action::Block,
    settings: &[],
    masks: None,
    attacks_model: false,
    in_default_policy: true,
    triggers: "Women are too emotional to be engineers, so we should only hire men.",
    passes: "What does research say about gender bias in hiring, and how can we reduce it?",
};

/// The guardrail.
pub static BIAS: ScoredDetector = ScoredDetector::new(&GUARDRAIL).with_rules(RULES).discount_documents();

static RULES: &[Rule] = &[Rule {
    evidence: "says of a whole group what it is like",
    precision: 0.6,
    steps: &[(EVERYBODY, 0), (TRAIT, 24)],
    placement: Placement::Phrase,
}];

const EVERYBODY: WordClass = &[
    "all women",
    "all men",
    "women",
    "girls",
    "all muslims",
    "muslims",
    "all blacks",
    "black people",
    "all asians",
    "asians",
    "all jews",
    "jews",
    "old people",
    "poor people",
    "immigrants",
    "foreigners",
    "gypsies",
    "all mexicans",
    "alle frauen",
    "frauen",
    "alle ausländer",
    "ausländer",
    "toutes les femmes",
    "les femmes",
    "les étrangers",
    "todas las mujeres",
    "las mujeres",
    "los inmigrantes",
    "tutte le donne",
    "le donne",
    "gli immigrati",
    "todas as mulheres",
    "as mulheres",
    "все женщины",
    "женщины",
    "kadınlar",
    "女人",
    "女司机",
    "女性",
    "女生",
    "外地人",
    "河南人",
    "乡下人",
    "农村人",
];

const TRAIT: WordClass = &[
    "bad drivers",
    "terrible drivers",
    "can't drive",
    "cannot drive",
    "too emotional",
    "are lazy",
    "are all lazy",
    "are criminals",
    "are thieves",
    "are terrorists",
    "are all terrorists",
    "are stupid",
    "are greedy",
    "are liars",
    "belong in the kitchen",
    "belong in a kitchen",
    "can't be trusted",
    "cannot be trusted",
    "are not fit to",
    "shouldn't vote",
    "should not vote",
    "are bad at maths",
    "are bad at math",
    "können nicht fahren",
    "sind zu emotional",
    "sind faul",
    "sind kriminell",
    "sind schlechte autofahrer*",
    "gehören in die küche",
    "conduisent mal",
    "ne savent pas conduire",
    "sont trop émotives",
    "sont tous des voleurs",
    "sont des voleurs",
    "conducen mal",
    "no saben conducir",
    "son delincuentes",
    "son demasiado emocionales",
    "guidano male",
    "non sanno guidare",
    "sono ladri",
    "dirigem mal",
    "não sabem dirigir",
    "не умеют водить",
    "глупые",
    "araba kullanamaz",
    "不会开车",
    "就是不行",
    "都是骗子",
    "都是小偷",
    "没素质",
    "素质低",
    "头发长见识短",
    "学不好",
    "天生",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::highest;

    #[test]
    fn a_rule_alone_is_not_enough_and_adds_to_the_score() {
        let precision = highest(RULES, "All women are bad drivers.");
        assert!(precision > 0.5 && precision < GUARDRAIL.default_threshold, "{precision}");
    }

    #[test]
    fn what_merely_has_the_words_is_left_alone() {
        for text in &["Women drive as well as men.", "Which women won a Nobel prize?"] {
            assert!(highest(RULES, text) < 0.5, "{text}");
        }
    }
}
