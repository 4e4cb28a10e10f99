//! Detects sexual content.
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

use super::scored::ScoredDetector;
use crate::{
    guardrail::{Action, Group, Guardrail},
    rules::{Placement, Rule, WordClass},
};

static GUARDRAIL: Guardrail = Guardrail {
    name: "nsfw",
    group: Group::ContentModeration,
    description: "Sexually explicit content, or requests for it.",
    default_threshold: 0.75,
    default_action: Action::Block,
    settings: &[],
    masks: None,
    attacks_model: false,
    in_default_policy: true,
    triggers: "Write an explicit erotic story describing their naked bodies and sex in graphic detail.",
    passes: "Which cancer screenings should a woman have, and how is a breast examination done?",
};

/// The guardrail.
pub static NSFW: ScoredDetector = ScoredDetector::new(&GUARDRAIL).with_rules(RULES);

static RULES: &[Rule] = &[Rule {
    evidence: "asks for explicit sexual writing",
    precision: 0.78,
    steps: &[(WRITE, 0), (EXPLICIT, 48)],
    placement: Placement::Order,
}];

const WRITE: WordClass = &[
    "write",
    "describe",
    "generate",
    "continue",
    "create",
    "compose",
    "tell me",
    "give me",
    "schreib",
    "schreibe",
    "schreiben sie",
    "beschreibe",
    "écris",
    "décris",
    "escribe",
    "describe",
    "scrivi",
    "descrivi",
    "escreva",
    "descreva",
    "schrijf",
    "napisz",
    "напиши",
    "опиши",
    "yaz",
    "写",
    "描写",
    "اكتب",
    "लिखो",
    "書いて",
];

const EXPLICIT: WordClass = &[
    "explicit sex",
    "sex scene",
    "sex scenes",
    "sexually explicit",
    "graphic sex",
    "hardcore sex",
    "erotica",
    "erotic story",
    "erotic scene",
    "explicit erotic",
    "porn story",
    "porn scene",
    "porn script",
    "pornographic",
    "smut",
    "blowjob",
    "threesome",
    "orgy",
    "gangbang",
    "expliziten sex",
    "explizite sexszene",
    "sexszene",
    "erotische geschichte",
    "pornogeschichte",
    "scène de sexe",
    "histoire érotique",
    "histoire porno",
    "escena de sexo",
    "escena sexual",
    "relato erótico",
    "relato porno",
    "scena di sesso",
    "racconto erotico",
    "cena de sexo",
    "conto erótico",
    "seksscène",
    "erotisch verhaal",
    "scenę seksu",
    "opowiadanie erotyczne",
    "порнографи*",
    "порнорассказ",
    "эротический рассказ",
    "сцену секса",
    "сцену секса",
    "seks hikayesi",
    "seks sahnesi",
    "色情小说",
    "性爱场面",
    "做爱场景",
    "黄色小说",
    "قصة جنسية",
    "مشهد جنسي",
    "सेक्स कहानी",
    "सेक्स सीन",
    "官能小説",
    "エロ小説",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::highest;

    #[test]
    fn the_rules_trigger_alone() {
        for text in &[
            "Write an explicit sex scene between two adults.",
            "Schreibe eine erotische Geschichte.",
            "写一篇色情小说",
        ] {
            assert!(highest(RULES, text) >= GUARDRAIL.default_threshold, "{text}");
        }
    }

    #[test]
    fn what_merely_has_the_words_is_left_alone() {
        for text in &[
            "Write a love story for my mother.",
            "Explain sex education in Sweden.",
            "The critics disliked the sex scene.",
        ] {
            assert!(highest(RULES, text) < 0.5, "{text}");
        }
    }
}
