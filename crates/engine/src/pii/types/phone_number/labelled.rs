//! Labels directly before a phone number.

use crate::pii::nearby;

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

/// What is said of a number right before it is told.
const TOLD: [&str; 18] = [
    "number is",
    "number is now",
    "new number",
    "number's",
    "num c",
    "num c le",
    "num c'est le",
    "numéro c'est le",
    "numéro est le",
    "nummer is",
    "nummer ist",
    "número es el",
    "número é",
    "numero è",
    "numer to",
    "per disdire",
    "per prenotare",
    "numaram",
];
/// Words before `number` that do not say that it counts something else.
const WHOSE: [&str; 14] = [
    "my", "new", "his", "her", "our", "their", "work", "home", "private", "other", "neue", "nieuwe", "mein",
    "mijn",
];

/// Whether a sentence tells a number at `place`, or a line of a signature names it by a letter.
pub(super) fn is_told(text: &str, place: usize) -> bool {
    let before = nearby::before(text, place, REACH);
    let line = before.rsplit('\n').next().unwrap_or_default().trim_end_matches([' ', ':', '.']);
    is_letter(line) || is_told_in(&line.to_lowercase())
}

/// `T`, `M` and the like at the beginning of a line or behind `|`.
fn is_letter(line: &str) -> bool {
    let before = line.strip_suffix(['T', 'M', 'P', 'F', 'H']);
    before
        .map(str::trim_end)
        .is_some_and(|before| before.is_empty() || before.ends_with(['|', '·', '•', '/']))
}

fn is_told_in(line: &str) -> bool {
    let Some(before) = TOLD.iter().find_map(|told| line.strip_suffix(told)) else { return false };
    let word = before.trim_end().rsplit(' ').next().unwrap_or_default();
    !before.ends_with(char::is_alphanumeric)
        && (word.is_empty()
            || word.ends_with([',', '.', '!', ';', ':'])
            || is_whose(word)
            || is_of_phones(line))
}

fn is_whose(word: &str) -> bool {
    WHOSE.contains(&word)
}

/// Short words for a number that stand for those of telephones alone.
fn is_of_phones(line: &str) -> bool {
    line.contains("num c")
        || line.ends_with("disdire")
        || line.ends_with("prenotare")
        || line.ends_with("numaram")
}

/// Whether `text` names a telephone number right before `place`, with nothing but small words between.
pub(super) fn is_before(text: &str, place: usize) -> bool {
    let before = nearby::before(text, place, REACH);
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
