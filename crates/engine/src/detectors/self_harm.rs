//! Detects content about self-harm.
//!
//! # What it looks for
//! Somebody who speaks of ending or hurting themselves, or asks how to.
//!
//! # Why it matters
//! Such a person needs a human, and must not get a method from a machine.
//!
//! # Triggers
//! `I want to kill myself tonight, I can't go on and nobody would miss me.`
//!
//! # Does not trigger
//! `My phone battery died again and I wanted to throw it out of the window.`

use super::scored::ScoredDetector;
use crate::{
    guardrail::{Action, Group, Guardrail},
    rules::{Placement, Rule, WordClass},
};

static GUARDRAIL: Guardrail = Guardrail {
    name: "self_harm",
    group: Group::ContentModeration,
    description: "Suicidal thoughts, self-injury and eating disorders: statements of intent and requests for means.",
    default_threshold: 0.75,
    default_action: Action::Block,
    settings: &[],
    masks: None,
    attacks_model: false,
    in_default_policy: true,
    triggers: "I want to kill myself tonight, I can't go on and nobody would miss me.",
    passes: "My phone battery died again and I wanted to throw it out of the window.",
};

/// The guardrail.
pub static SELF_HARM: ScoredDetector = ScoredDetector::new(&GUARDRAIL).with_rules(RULES);

static RULES: &[Rule] = &[
    Rule {
        evidence: "says that somebody wants to die or to hurt themselves",
        precision: 0.8,
        steps: &[(WISH, 0)],
        placement: Placement::Phrase,
    },
    Rule {
        evidence: "asks for a way to end a life",
        precision: 0.8,
        steps: &[(WAY, 0), (END, 12)],
        placement: Placement::Phrase,
    },
];

const WISH: WordClass = &[
    "i want to kill myself",
    "i wanna kill myself",
    "i will kill myself",
    "i'm going to kill myself",
    "i am going to kill myself",
    "i'm gonna kill myself",
    "thinking about killing myself",
    "thinking of killing myself",
    "i want to end my life",
    "i'm going to end my life",
    "i want to take my own life",
    "i want to die",
    "i wish i was dead",
    "i wish i were dead",
    "i don't want to live",
    "i do not want to live",
    "i don't want to be alive",
    "i want to hurt myself",
    "i want to cut myself",
    "i feel suicidal",
    "i am suicidal",
    "i'm suicidal",
    "ich will mich umbringen",
    "ich möchte mich umbringen",
    "ich bringe mich um",
    "ich will sterben",
    "ich möchte sterben",
    "ich will nicht mehr leben",
    "ich möchte nicht mehr leben",
    "je veux me tuer",
    "je vais me tuer",
    "je veux mourir",
    "j'ai envie de mourir",
    "je veux en finir avec la vie",
    "je ne veux plus vivre",
    "me suicider",
    "quiero matarme",
    "me quiero matar",
    "quiero suicidarme",
    "quiero morirme",
    "me quiero morir",
    "quiero quitarme la vida",
    "no quiero vivir más",
    "ya no quiero vivir",
    "voglio uccidermi",
    "voglio ammazzarmi",
    "voglio morire",
    "voglio farla finita",
    "non voglio più vivere",
    "quero me matar",
    "vou me matar",
    "quero morrer",
    "quero tirar a minha vida",
    "não quero mais viver",
    "ik wil dood",
    "ik wil zelfmoord plegen",
    "ik wil niet meer leven",
    "ik wil mezelf doden",
    "chcę się zabić",
    "chcę umrzeć",
    "nie chcę żyć",
    "nie chcę już żyć",
    "я хочу умереть",
    "хочу умереть",
    "хочу убить себя",
    "хочу покончить с собой",
    "не хочу жить",
    "не хочу больше жить",
    "kendimi öldürmek istiyorum",
    "intihar etmek istiyorum",
    "ölmek istiyorum",
    "yaşamak istemiyorum",
    "我想自杀",
    "我要自杀",
    "不想活了",
    "我想结束自己的生命",
    "死にたい",
    "自殺したい",
    "죽고 싶",
    "자살하고 싶",
    "أريد أن أموت",
    "أريد الانتحار",
    "أريد أن أقتل نفسي",
    "لا أريد أن أعيش",
    "मैं मरना चाहता",
    "मैं मरना चाहती",
    "आत्महत्या करना चाहता",
    "आत्महत्या करना चाहती",
    "जीना नहीं चाहता",
    "जीना नहीं चाहती",
];

const WAY: WordClass = &[
    "how do i",
    "how can i",
    "how to",
    "how many pills",
    "what is the best way to",
    "what is the easiest way to",
    "what is the quickest way to",
    "what is the most painless way to",
    "best way to",
    "easiest way to",
    "painless way to",
    "quickest way to",
    "how should i",
    "methods to",
    "tell me how to",
    "way to",
];

const END: WordClass = &[
    "kill myself",
    "end my life",
    "take my own life",
    "end it all",
    "commit suicide",
    "hang myself",
    "overdose myself",
    "cut myself without",
    "hide my cuts",
    "starve myself",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::highest;

    #[test]
    fn the_rules_trigger_alone() {
        for text in &[
            "I want to kill myself",
            "What is the easiest way to kill myself?",
            "Ich will nicht mehr leben.",
            "quiero morirme",
            "我想自杀",
        ] {
            assert!(highest(RULES, text) >= GUARDRAIL.default_threshold, "{text}");
        }
    }

    #[test]
    fn what_merely_has_the_words_is_left_alone() {
        for text in &[
            "How do I kill a process?",
            "My feet are killing me.",
            "I don't want to live in Berlin? What does \"i want to die\" mean in this song?",
            "How do I log in as myself?",
        ] {
            assert!(highest(RULES, text) < 0.5, "{text}");
        }
    }
}
