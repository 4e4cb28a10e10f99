//! Words that the following text marks as a name: `Xhenis, could you …`, `Xhenis's date of birth`, `Xhenis, aged 14`.

use super::{context_before::may_name, words::Word};
use crate::pii::Match;

/// Confidence of a word that no list knows; worth masking, not worth stopping a text.
const UNKNOWN: f32 = 0.5;
/// Confidence of a given name or surname.
const KNOWN: f32 = 0.58;

/// What one says to somebody whom one has just called by name.
const SAID: [&str; 46] = [
    "could you",
    "can you",
    "would you",
    "will you",
    "your ",
    "have you",
    "did you",
    "do you",
    "are you",
    "don't forget",
    "remember to",
    "any update",
    "any news",
    "any info",
    "thanks for",
    "let me know",
    "we need your",
    "i need your",
    "bitte",
    "könnten sie",
    "können sie",
    "könntest du",
    "kannst du",
    "pourriez-vous",
    "pouvez-vous",
    "peux-tu",
    "pourrais-tu",
    "merci de",
    "s'il vous",
    "podría",
    "podrías",
    "puedes",
    "puede ",
    "por favor",
    "potresti",
    "potrebbe",
    "puoi",
    "per favore",
    "poderia",
    "você",
    "kun je",
    "kunt u",
    "alsjeblieft",
    "please ",
    "kindly ",
    "good news",
];
/// What belongs to people.
const OWNED: [&str; 24] = [
    "contact",
    "date of birth",
    "profile",
    "phone",
    "mobile",
    "email",
    "e-mail",
    "address",
    "passport",
    "driver",
    "licence",
    "license",
    "social security",
    "medical",
    "diagnosis",
    "medication",
    "appointment",
    "payslip",
    "consent",
    "credentials",
    "home address",
    "bank account",
    "bank details",
    "record",
];
/// What others have too: whose it is must be a known name.
const HELD: [&str; 12] = [
    "office",
    "house",
    "flat",
    "apartment",
    "desk",
    "account",
    "wife",
    "husband",
    "mother",
    "father",
    "birthday",
    "number",
];
/// How ages and homes are told.
const TOLD: [&str; 11] = [
    ", aged ",
    ", age ",
    " (aged ",
    " (age ",
    ", residing at",
    " residing at",
    ", born ",
    " was born on",
    " lives at",
    ", wohnhaft",
    ", geboren am",
];

/// A lone word, or one behind the first word of a sentence, that is a name by what follows.
pub(super) fn find(text: &str, run: &[Word<'_>]) -> Option<Match> {
    let word = match run {
        [word] => word,
        [first, word] if begins_sentence(text, first.span.start) && !may_pair(first) => word,
        _ => return None,
    };
    let rest = &text[word.span.end..];
    let is_known = word.class.is_given() || word.class.is_surname();
    let is_named = is_called(text, word, rest)
        || owns(rest, &OWNED)
        || (word.class.is_plain_given() && owns(rest, &HELD))
        || TOLD.iter().any(|told| rest.starts_with(told));
    (is_named && may_name(word))
        .then_some(Match { span: word.span, confidence: if is_known { KNOWN } else { UNKNOWN } })
}

/// Whether it may rather be the first word of a name of two.
fn may_pair(first: &Word<'_>) -> bool {
    first.class.is_given() || first.class.is_organisation()
}

fn is_called(text: &str, word: &Word<'_>, rest: &str) -> bool {
    let said = rest.strip_prefix(", ").or_else(|| rest.strip_prefix(' ').filter(|said| is_plea(said)));
    said.is_some_and(|said| SAID.iter().any(|words| begins(said, words)))
        && begins_sentence(text, word.span.start)
}

/// Only a plea stands behind a name without a comma.
fn is_plea(said: &str) -> bool {
    begins(said, "please ") || begins(said, "kindly ")
}

fn owns(rest: &str, things: &[&str]) -> bool {
    let owned = rest.strip_prefix("'s ").or_else(|| rest.strip_prefix("’s "));
    owned.is_some_and(|owned| things.iter().any(|thing| begins(owned, thing)))
}

fn begins(text: &str, words: &str) -> bool {
    text.as_bytes().get(..words.len()).is_some_and(|head| head.eq_ignore_ascii_case(words.as_bytes()))
}

/// Whether a sentence, a line or a quotation begins at `start`.
pub(super) fn begins_sentence(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches([' ', '"', '*', '“', '\'']);
    before.is_empty() || before.ends_with(['.', '!', '?', '\n', '>', ':', '|'])
}
