//! Surnames with initials, in a list or said to be present: `Present: F. Novak, K. Ito`.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    grammar,
    lists::is_public,
    not_names,
    words::{PARTICLES, Word},
};
use crate::{
    pii::{Match, nearby},
    regex::pattern,
    span::Span,
};

/// Confidence of a surname that no list has, and of one that a list has; worth masking, not worth stopping a text.
const UNKNOWN: f32 = 0.5;
const KNOWN: f32 = 0.58;
/// Bytes in which a neighbour or a label stands.
const REACH: usize = 64;

/// Letters that stand for a country, a union, a city or a remark.
const COUNTRIES: [&str; 9] = ["US", "UK", "UN", "EU", "DC", "LA", "NY", "PS", "NB"];

const PARTICLE: &str = r"(?:(?:van|von|der|den|de|del|della|di|da|do|dos|la|le|el|al|bin|ter|ten|zu) ){0,2}";
const SURNAME: &str = r"\p{Lu}[\p{L}'’-]+";
const JOINER: &str = r"(?:,|;|\.,|\.;)? ?(?:&|and|und|et|y|e|en|i|ve|oraz)? ?";

/// `F. Novak` behind a name, and before one.
static NEXT: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"^{JOINER}(?:\p{{Lu}}\. ?){{1,3}}{PARTICLE}{SURNAME}")));
static PREVIOUS: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"(?:\p{{Lu}}\. ?){{1,3}}{PARTICLE}{SURNAME}{JOINER}$")));
/// The same for `Novak F.`
static NEXT_TURNED: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"^\.{JOINER}{PARTICLE}{SURNAME} (?:\p{{Lu}}\.){{1,3}}")));
static PREVIOUS_TURNED: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"{SURNAME} (?:\p{{Lu}}\.){{1,3}}{JOINER}$")));
/// Who was there, who was not, who wrote it down, who speaks.
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:\b(?:present|apologies|attendees|attending|participants|absent|regrets|chair|minutes by|anwesend|\
        entschuldigt|teilnehmer|abwesend|présents|présent|absents|excusés|presenti|presente|assente|assenti|presentes|asistentes|ausentes|\
        obecni|nieobecni|aanwezig|afwezig|katılanlar|by):? |\b(?:i['’]m|i am|my name is|ich bin|je suis|dear|tenant) |\b(?:by):)$",
    )
});

/// The name with initials that `run` is.
pub(super) fn find(text: &str, run: &[Word<'_>]) -> Option<Match> {
    let run = without_lead(run);
    let (first, last) = (run.first()?, run.last()?);
    let initials = run.iter().take_while(|word| word.is_initial()).count();
    if initials > 0 {
        let letters: String = run[..initials].iter().map(|word| word.text).collect();
        if COUNTRIES.contains(&letters.as_str()) {
            return None;
        }
        let surnames = without_suffix(&run[initials..]);
        let last = surnames.last()?;
        let before = nearby::before(text, first.span.start, REACH);
        let is_listed = || {
            NEXT.is_match(nearby::after(text, last.span.end, REACH))
                || PREVIOUS.is_match(before)
                || LABEL.is_match(before)
        };
        let is_public = || is_public(Span::new(surnames[0].span.start, last.span.end).of(text));
        let is_likely = || is_pointed(text, &run[..initials]) && !is_public();
        return (are_surnames(surnames) && (is_likely() || is_listed()))
            .then(|| found(first.span.start, last.span.end, surnames));
    }
    let surnames = &run[..run.iter().take_while(|word| !word.is_initial()).count()];
    let has_initial = surnames.len() < run.len() && text[last.span.end..].starts_with('.');
    if !has_initial || !last.is_initial() || !are_surnames(surnames) {
        return None;
    }
    let is_listed = NEXT_TURNED.is_match(nearby::after(text, last.span.end, REACH))
        || PREVIOUS_TURNED.is_match(nearby::before(text, without_particle(text, first.span.start), REACH));
    is_listed.then(|| found(first.span.start, last.span.end + 1, surnames))
}

/// Returns whether these are several initials, each with its point: few other things are written so.
fn is_pointed(text: &str, initials: &[Word<'_>]) -> bool {
    initials.len() > 1 && initials.iter().all(|word| text[word.span.end..].starts_with('.'))
}

fn without_suffix<'r, 't>(names: &'r [Word<'t>]) -> &'r [Word<'t>] {
    match names {
        [names @ .., suffix] if grammar::is_suffix(suffix.text) => names,
        _ => names,
    }
}

/// The words behind one of everyday that begins the sentence: `Dear J. R. Novak`.
fn without_lead<'r, 't>(run: &'r [Word<'t>]) -> &'r [Word<'t>] {
    let is_lead = |word: &Word<'_>| word.class.is_everyday() || ["I'm", "I’m"].contains(&word.text);
    match run {
        [lead, rest @ ..] if is_lead(lead) && rest.first().is_some_and(Word::is_initial) => rest,
        _ => run,
    }
}

fn found(start: usize, end: usize, surnames: &[Word<'_>]) -> Match {
    let is_known = surnames.iter().any(|word| word.class.is_surname());
    Match { span: Span::new(start, end), confidence: if is_known { KNOWN } else { UNKNOWN } }
}

fn are_surnames(words: &[Word<'_>]) -> bool {
    let may_be = |word: &Word<'_>| {
        let class = word.class;
        let is_other = class.is_stop() || class.is_organisation() || class.is_title();
        let is_written = word.text.chars().count() > 2 && word.text.contains(char::is_lowercase);
        class.is_surname() || (is_written && !is_other && !not_names::is_one(word.text))
    };
    (1..=2).contains(&words.len()) && words.iter().all(may_be)
}

fn without_particle(text: &str, start: usize) -> usize {
    let before = text[..start].trim_end_matches(' ');
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    if PARTICLES.contains(&word) { before.len() - word.len() } else { start }
}
