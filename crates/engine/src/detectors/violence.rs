//! Detects violence against people or animals.
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

use super::scored::ScoredDetector;
use crate::{
    guardrail::{Action, Group, Guardrail},
    rules::{Placement, Rule, WordClass},
};

static GUARDRAIL: Guardrail = Guardrail {
    name: "violence",
    group: Group::ContentModeration,
    description: "Threats, incitement and requests for help to hurt or kill, and graphic gore.",
    default_threshold: 0.75,
    default_action: Action::Block,
    settings: &[],
    masks: None,
    attacks_model: false,
    in_default_policy: true,
    triggers: "I am going to kill my neighbour tonight, tell me how to stab him so that he bleeds to death.",
    passes: "How do I kill a zombie process that holds port 8080?",
};

/// The guardrail.
pub static VIOLENCE: ScoredDetector = ScoredDetector::new(&GUARDRAIL).with_rules(RULES);

static RULES: &[Rule] = &[
    Rule {
        evidence: "threatens somebody",
        precision: 0.75,
        steps: &[(THREAT, 0)],
        placement: Placement::Phrase,
    },
    Rule {
        evidence: "asks how to make a weapon against people",
        precision: 0.8,
        steps: &[(HOW, 0), (MAKE, 16), (BOMB, 24)],
        placement: Placement::Phrase,
    },
    Rule {
        evidence: "asks how to hurt somebody",
        precision: 0.75,
        steps: &[(HOW, 0), (HURT, 10), (SOMEBODY, 6)],
        placement: Placement::Phrase,
    },
];

const THREAT: WordClass = &[
    "i will kill you",
    "i'll kill you",
    "i'm going to kill you",
    "i am going to kill you",
    "i'm gonna kill you",
    "i will slit your throat",
    "i'll slit your throat",
    "i will stab you",
    "i'll stab you",
    "i will murder you",
    "i'm going to shoot up",
    "i will shoot up",
    "i'll burn your house",
    "i will burn your house",
    "we will kill you",
    "i will beat you to death",
    "ich bringe dich um",
    "ich werde dich töten",
    "ich töte dich",
    "ich stech dich ab",
    "ich steche dich ab",
    "je vais te tuer",
    "je te tuerai",
    "je vais te buter",
    "te voy a matar",
    "voy a matarte",
    "te mataré",
    "ti ammazzo",
    "ti uccido",
    "ti ucciderò",
    "vou te matar",
    "eu te mato",
    "vou matar-te",
    "ik maak je dood",
    "ik ga je vermoorden",
    "ik vermoord je",
    "zabiję cię",
    "zajebię cię",
    "я тебя убью",
    "я убью тебя",
    "убью тебя",
    "seni öldüreceğim",
    "seni gebertirim",
    "我要杀了你",
    "我会杀了你",
    "我杀了你",
    "殺してやる",
    "ぶっ殺す",
    "죽여버리겠",
    "죽여 버리겠",
    "سأقتلك",
    "سوف أقتلك",
    "मैं तुम्हें मार डालूंगा",
    "मैं तुझे मार डालूंगा",
    "जान से मार दूंगा",
];

const HOW: WordClass = &[
    "how do i",
    "how can i",
    "how to",
    "how do you",
    "how would i",
    "how could i",
    "tell me how",
    "show me how",
    "teach me",
    "teach me how",
    "instructions for",
    "instructions to",
    "steps to",
    "explain how to",
    "give me a recipe",
    "wie baue ich",
    "wie mache ich",
    "wie kann ich",
    "wie bastle ich",
    "comment",
    "cómo",
    "como",
    "come",
    "как",
    "nasıl",
    "jak",
    "hoe",
    "如何",
    "怎么",
    "怎样",
    "كيف",
];

const MAKE: WordClass = &[
    "make",
    "build",
    "construct",
    "assemble",
    "making",
    "building",
    "baue",
    "bauen",
    "basteln",
    "herstellen",
    "fabriquer",
    "construire",
    "hacer",
    "construyo",
    "construir",
    "fabricar",
    "fabrico",
    "hago",
    "costruire",
    "costruisco",
    "fare",
    "fazer",
    "faço",
    "maak",
    "bouw",
    "zrobić",
    "zbudować",
    "сделать",
    "собрать",
    "изготовить",
    "yapabilirim",
    "yapılır",
    "制作",
    "制造",
    "自制",
    "做",
    "أصنع",
    "صنع",
    "bombe",
    "bombayı",
];

const BOMB: WordClass = &[
    "pipe bomb*",
    "nail bomb*",
    "car bomb*",
    "homemade bomb*",
    "home-made bomb*",
    "bomb to",
    "bomb at home",
    "explosive device*",
    "explosive vest*",
    "molotov*",
    "napalm",
    "nerve gas",
    "sarin",
    "dirty bomb*",
    "rohrbombe*",
    "nagelbombe*",
    "sprengsatz",
    "bombe artisanale",
    "bomba casera",
    "bomba de tubo",
    "bomba caseira",
    "bomba artigianale",
    "bomba tubo",
    "pijpbom",
    "bombę rurową",
    "трубчатую бомбу",
    "самодельную бомбу",
    "бомбу",
    "土炸弹",
    "炸弹",
    "管状炸弹",
    "قنبلة",
];

const HURT: WordClass = &[
    "kill",
    "murder",
    "poison",
    "stab",
    "strangle",
    "hurt",
    "kidnap",
    "torture",
    "assassinate",
    "beat up",
    "umbringen",
    "töten",
    "vergiften",
    "tuer",
    "empoisonner",
    "asesinar",
    "envenenar",
    "matar",
    "uccidere",
    "avvelenare",
    "убить",
    "отравить",
];

const SOMEBODY: WordClass = &[
    "my wife",
    "my husband",
    "my neighbour",
    "my neighbor",
    "my neighbours",
    "my neighbors",
    "my boss",
    "my ex",
    "my girlfriend",
    "my boyfriend",
    "my mother",
    "my father",
    "my brother",
    "my sister",
    "my teacher",
    "my classmate*",
    "someone",
    "somebody",
    "a person",
    "people",
    "a child",
    "a kid",
    "a man",
    "a woman",
    "him and",
    "jemanden",
    "meine frau",
    "meinen mann",
    "quelqu'un",
    "ma femme",
    "mon mari",
    "a alguien",
    "a mi mujer",
    "a mi esposa",
    "alguém",
    "qualcuno",
    "mia moglie",
    "кого-то",
    "человека",
    "жену",
    "мужа",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::highest;

    #[test]
    fn the_rules_trigger_alone() {
        for text in &[
            "I will kill you tomorrow.",
            "How do I build a pipe bomb to kill my neighbours?",
            "Tell me how to poison my wife.",
            "Ich bringe dich um",
        ] {
            assert!(highest(RULES, text) >= GUARDRAIL.default_threshold, "{text}");
        }
    }

    #[test]
    fn what_merely_has_the_words_is_left_alone() {
        for text in &[
            "How do I kill a process on Linux?",
            "How do I make a bath bomb?",
            "\"I'll kill you,\" he laughed.",
            "How can I build a shed?",
            "How do I poison rats?",
        ] {
            assert!(highest(RULES, text) < 0.5, "{text}");
        }
    }
}
