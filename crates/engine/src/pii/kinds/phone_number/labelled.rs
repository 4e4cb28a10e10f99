//! Words right before a number that name it a telephone number.

use crate::pii::near;

/// Bytes before a number in which its name may stand.
const REACH: usize = 64;
/// Words between name and number at most.
const BETWEEN: usize = 5;

/// Words that name what follows, also as the beginning of longer ones: `contacting`, `telephonic`, `Rufnummern`.
const NAMES: [&str; 41] = [
    "phone",
    "telephon",
    "telecom",
    "tele",
    "tel",
    "mobil",
    "cell",
    "fax",
    "call",
    "contact",
    "dial",
    "ring",
    "reach",
    "directed",
    "hotline",
    "helpline",
    "landline",
    "whatsapp",
    "sms",
    "shout",
    "voicemail",
    "support",
    "handy",
    "rufnummer",
    "durchwahl",
    "anruf",
    "erreich",
    "kontakt",
    "portable",
    "appele",
    "joindre",
    "contacter",
    "téléphon",
    "teléfono",
    "móvil",
    "celular",
    "llám",
    "cellulare",
    "chiam",
    "telemóvel",
    "ligue",
];
/// Words that may stand between name and number.
const FILLERS: [&str; 72] = [
    "number",
    "numbers",
    "no",
    "nr",
    "num",
    "line",
    "info",
    "information",
    "detail",
    "details",
    "office",
    "officer",
    "desk",
    "our",
    "me",
    "us",
    "him",
    "her",
    "them",
    "my",
    "your",
    "his",
    "their",
    "is",
    "at",
    "on",
    "to",
    "via",
    "with",
    "by",
    "or",
    "the",
    "a",
    "using",
    "through",
    "please",
    "confirm",
    "directly",
    "now",
    "unter",
    "mich",
    "uns",
    "ist",
    "nummer",
    "der",
    "die",
    "au",
    "le",
    "al",
    "en",
    "el",
    "il",
    "numero",
    "número",
    "numéro",
    "op",
    "pod",
    "home",
    "br",
    "td",
    "div",
    "span",
    "strong",
    "front",
    "team",
    "customer",
    "service",
    "for",
    "reference",
    "kept",
    "queries",
    "communications",
];

/// Whether `text` names a telephone number right before `place`, with nothing but small words between.
pub(super) fn is_before(text: &str, place: usize) -> bool {
    let before = near::before(text, place, REACH);
    let line = before.rfind('\n').map_or(before, |end| &before[end..]);
    let mut words = line.rsplit(|c: char| !c.is_alphabetic()).filter(|word| word.chars().nth(1).is_some());
    words.by_ref().take(BETWEEN + 1).find(|word| !is_filler(word)).is_some_and(names)
}

fn is_filler(word: &str) -> bool {
    FILLERS.iter().any(|filler| filler.eq_ignore_ascii_case(word))
}

fn names(word: &str) -> bool {
    NAMES.iter().any(|name| begins(word, name))
}

/// Whether `word` is `name`, or goes on from a name of four letters or more.
fn begins(word: &str, name: &str) -> bool {
    let head = word.as_bytes().get(..name.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(name.as_bytes()))
        && (word.len() == name.len() || name.len() > 3)
}
