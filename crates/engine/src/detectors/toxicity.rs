//! Detects insults and abuse.
//!
//! # What it looks for
//! Words meant to hurt whoever reads them: insults, humiliation, harassment, in any of the languages the
//! classifier learned.
//!
//! # Why it matters
//! Abuse drives people away, and a product that repeats it owns it.
//!
//! # Triggers
//! `You are a worthless, disgusting idiot and everybody hates you.`
//!
//! # Does not trigger
//! `This bug is killing me, the stupid parser drops every second line.`

use super::scored::ScoredDetector;
use crate::{
    guardrail::{Action, Group, Guardrail},
    rules::{Placement, Rule, WordClass},
};

static GUARDRAIL: Guardrail = Guardrail {
    name: "toxicity",
    group: Group::ContentModeration,
    description: "Insults, harassment, threats to dignity and abusive language towards a person.",
    default_threshold: 0.75,
    default_action: Action::Block,
    settings: &[],
    masks: None,
    attacks_model: false,
    in_default_policy: true,
    triggers: "You are a worthless, disgusting idiot and everybody hates you.",
    passes: "This bug is killing me, the stupid parser drops every second line.",
};

/// The guardrail.
pub static TOXICITY: ScoredDetector = ScoredDetector::new(&GUARDRAIL).with_rules(RULES);

static RULES: &[Rule] = &[
    Rule {
        evidence: "insults the reader",
        precision: 0.78,
        steps: &[(YOU, 0), (INSULT, 24)],
        placement: Placement::Phrase,
    },
    Rule {
        evidence: "abuses the reader",
        precision: 0.75,
        steps: &[(ABUSE, 0)],
        placement: Placement::Phrase,
    },
];

const YOU: WordClass = &[
    "you are",
    "you're",
    "you",
    "youre",
    "ur a",
    "du bist",
    "tu es",
    "t'es",
    "espèce de",
    "eres",
    "sei",
    "você é",
    "tu és",
    "je bent",
    "jij bent",
    "jesteś",
    "ты",
    "sen",
    "sen bir",
    "你",
    "你是",
    "你这个",
    "你真是",
    "أنت",
    "यू आर",
    "तुम",
    "तू",
    "お前は",
    "넌",
    "너는",
];

const INSULT: WordClass = &[
    "worthless idiot",
    "fucking idiot",
    "stupid idiot",
    "complete idiot",
    "such an idiot",
    "an idiot",
    "a moron",
    "fucking moron",
    "an imbecile",
    "piece of shit",
    "piece of garbage",
    "piece of trash",
    "asshole",
    "arsehole",
    "a bitch",
    "stupid bitch",
    "cunt",
    "retard",
    "a loser",
    "pathetic loser",
    "dumbass",
    "dipshit",
    "motherfucker",
    "scumbag",
    "waste of oxygen",
    "waste of space",
    "absolute moron",
    "dumb fuck",
    "ein idiot",
    "idiot und",
    "arschloch",
    "wichser",
    "hurensohn",
    "ein stück scheiße",
    "missgeburt",
    "vollidiot",
    "dumme sau",
    "un connard",
    "une connasse",
    "un idiot",
    "une merde",
    "un imbécile",
    "connard",
    "salope",
    "un fils de pute",
    "idiota",
    "imbécil",
    "hijo de puta",
    "gilipollas",
    "una mierda",
    "pendejo",
    "un idiota",
    "un imbecille",
    "uno stronzo",
    "un coglione",
    "una merda",
    "um idiota",
    "um imbecil",
    "um merda",
    "filho da puta",
    "een idioot",
    "een klootzak",
    "een eikel",
    "idiotą",
    "debilem",
    "śmieciem",
    "идиот*",
    "дебил*",
    "тупая",
    "тупой",
    "ничтожество",
    "мразь",
    "тварь",
    "урод",
    "aptalsın",
    "salaksın",
    "gerizekalısın",
    "白痴",
    "废物",
    "蠢货",
    "傻逼",
    "垃圾",
    "غبي",
    "حقير",
    "حمار",
    "बेवकूफ",
    "गधा",
    "गधे",
    "कमीने",
    "馬鹿",
    "クズ",
    "병신",
    "쓰레기",
];

const ABUSE: WordClass = &[
    "fuck you",
    "go fuck yourself",
    "shut the fuck up",
    "kill yourself",
    "go kill yourself",
    "go and die",
    "nobody likes you",
    "fick dich",
    "verpiss dich",
    "halt die fresse",
    "halt dein maul",
    "va te faire foutre",
    "nique ta mère",
    "ferme ta gueule",
    "vete a la mierda",
    "chinga tu madre",
    "que te jodan",
    "vaffanculo",
    "vai se foder",
    "vai tomar no cu",
    "rot op kankerhoer",
    "spierdalaj",
    "иди на хуй",
    "пошёл на хуй",
    "пошел на хуй",
    "пошла на хуй",
    "siktir git",
    "orospu çocuğu",
    "操你妈",
    "去死吧",
    "死ね",
    "꺼져 병신",
    "मादरचोद",
    "चूतिया",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::highest;

    #[test]
    fn the_rules_trigger_alone() {
        for text in &[
            "You are a worthless idiot",
            "you stupid bitch",
            "Du bist ein Idiot.",
            "Eres un hijo de puta",
            "你这个白痴",
        ] {
            assert!(highest(RULES, text) >= GUARDRAIL.default_threshold, "{text}");
        }
    }

    #[test]
    fn what_merely_has_the_words_is_left_alone() {
        for text in &[
            "My printer is an idiot.",
            "How do I stop being an idiot with money?",
            "You are a genius.",
            "Do not call anyone a loser. You are better.",
        ] {
            assert!(highest(RULES, text) < 0.5, "{text}");
        }
    }
}
