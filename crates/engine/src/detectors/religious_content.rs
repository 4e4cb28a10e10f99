//! Detects religious content.
//!
//! # What it looks for
//! Quotations from scriptures, sermons, prayers, theological questions and attempts to convert.
//!
//! # Why it matters
//! Many organizations do not want their assistant to preach or to interpret a faith; those that do turn
//! this off.
//!
//! # Triggers
//! `For God so loved the world, that he gave his only begotten Son: explain why Jesus is the only way to heaven.`
//!
//! # Does not trigger
//! `What are the opening hours of the museum next to the cathedral?`

use super::scored::ScoredDetector;
use crate::{
    guardrail::{Action, Group, Guardrail},
    rules::{Placement, Rule, WordClass},
};

static GUARDRAIL: Guardrail = Guardrail {
    name: "religious_content",
    group: Group::ContentModeration,
    description: "Scripture, prayer, preaching and questions of faith, for applications that keep religion out.",
    default_threshold: 0.9,
    default_action: Action::Block,
    settings: &[],
    masks: None,
    attacks_model: false,
    in_default_policy: true,
    triggers: "For God so loved the world, that he gave his only begotten Son: explain why Jesus is the only way to heaven.",
    passes: "What are the opening hours of the museum next to the cathedral?",
};

/// The guardrail.
pub static RELIGIOUS_CONTENT: ScoredDetector = ScoredDetector::new(&GUARDRAIL).with_rules(RULES);

static RULES: &[Rule] = &[
    Rule {
        evidence: "prays, preaches or asks what a faith demands",
        precision: 0.9,
        steps: &[(PREACHING, 0)],
        placement: Placement::Phrase,
    },
    Rule {
        evidence: "asks what scripture says",
        precision: 0.9,
        steps: &[(SCRIPTURE, 0), (SAYS, 40)],
        placement: Placement::Phrase,
    },
    Rule {
        evidence: "asks what scripture says",
        precision: 0.9,
        steps: &[(SAYS, 0), (SCRIPTURE, 40)],
        placement: Placement::Phrase,
    },
];

const PREACHING: WordClass = &[
    "only begotten son",
    "gave his only son",
    "hallowed be thy name",
    "our father who art",
    "our father in heaven",
    "the lord is my shepherd",
    "accept jesus",
    "jesus is lord",
    "jesus is the way",
    "christ died for",
    "lord and saviour",
    "lord and savior",
    "repent and believe",
    "in the name of allah",
    "praise be to allah",
    "there is no god but allah",
    "pray with me",
    "let us pray",
    "you will burn in hell",
    "saved by god's grace",
    "write a sermon",
    "write a prayer",
    "doctrine of the trinity",
    "is it a sin",
    "the true religion",
    "vater unser im himmel",
    "geheiligt werde dein name",
    "jesus christus ist",
    "notre père qui es aux cieux",
    "que ton nom soit sanctifié",
    "je vous salue marie",
    "padre nuestro que estás",
    "santificado sea tu nombre",
    "padre nostro che sei",
    "pai nosso que estais",
    "onze vader die",
    "ojcze nasz",
    "отче наш",
    "христос умер за",
    "господи, помилуй",
    "господи помилуй",
    "بسم الله الرحمن",
    "لا إله إلا الله",
    "我们在天上的父",
    "奉耶稣的名",
    "天にまします",
    "हरे कृष्ण",
];

const SCRIPTURE: WordClass = &[
    "what does the bible",
    "what does the quran",
    "what does the koran",
    "what does the torah",
    "the bible",
    "the quran",
    "the qur'an",
    "the koran",
    "the torah",
    "the gospel of",
    "the bhagavad gita",
    "die bibel",
    "der koran",
    "la bible",
    "le coran",
    "la biblia",
    "el corán",
    "la bibbia",
    "il corano",
    "a bíblia",
    "o alcorão",
    "de bijbel",
    "biblia",
    "библия",
    "коран",
    "圣经",
    "古兰经",
    "القرآن",
    "बाइबल",
    "कुरान",
    "गीता",
];

const SAYS: WordClass = &[
    "say about",
    "says about",
    "teach about",
    "teaches about",
    "allow",
    "forbid",
    "forbids",
    "permitted",
    "according to",
    "a sin",
    "sagt",
    "dit la",
    "dit le",
    "que dice",
    "qué dice",
    "cosa dice",
    "o que diz",
    "zegt",
    "mówi",
    "говорит",
    "怎么说",
    "说什么",
    "يقول",
    "क्या कहती",
    "क्या कहता",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::highest;

    #[test]
    fn the_rules_trigger_alone() {
        for text in &[
            "For God so loved the world that he gave his only begotten Son.",
            "What does the Bible say about divorce?",
            "Is it a sin to lie?",
            "¿Qué dice la Biblia sobre el perdón?",
        ] {
            assert!(highest(RULES, text) >= GUARDRAIL.default_threshold, "{text}");
        }
    }

    #[test]
    fn what_merely_has_the_words_is_left_alone() {
        for text in &[
            "When does the museum next to the cathedral open?",
            "Oh my god, what a goal!",
            "The password policy is our bible.",
            "Luther translated the Bible in eleven weeks.",
        ] {
            assert!(highest(RULES, text) < 0.5, "{text}");
        }
    }
}
