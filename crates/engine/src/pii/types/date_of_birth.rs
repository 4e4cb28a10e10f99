//! Dates of birth.

mod dates;

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::person_name;
use crate::{
    pii::{
        Match, PiiType, Scanner,
        labelled::{self, Field, Kind},
        mask, nearby,
        tables::Column,
    },
    span::Span,
};

/// A full date beside a word of birth, in the usual notations and languages.
///
/// Why: with a name it identifies a person, and it cannot be changed. A year alone, a date before 1900 and the birth
/// of a person of public record are no private data.
///
/// Found: `born on 3 March 1987`. Not found: `Mozart was born on 27 January 1756`.
pub struct DateOfBirth;

impl PiiType for DateOfBirth {
    fn name(&self) -> &'static str {
        "date_of_birth"
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        found.extend(births(scan.text));
        let is_date =
            |span: &Span| dates::first(span.of(scan.text), true).is_some_and(|date| date.len() == span.len());
        let listed = scan.cells_of(Column::Birth).filter(is_date);
        found.extend(listed.map(|span| Match { span, confidence: 0.95 }));
    }

    fn labelled(&self, scan: &Scanner<'_>, field: &Field) -> Option<Match> {
        let span = field.value.span;
        let written = span.of(scan.text);
        // Dates in ASCII digits are found beside their label without the reader.
        let is_other = field.kind == Kind::BirthDate && !written.is_ascii();
        let date = is_other.then(|| labelled::in_ascii(written))?;
        let is_date = dates::first(&date, true).is_some_and(|found| found.len() == date.len());
        is_date.then_some(Match { span, confidence: 0.95 })
    }

    fn partial(&self, value: &str) -> String {
        mask::keep_nothing(value)
    }
}

/// Verbs, which say that somebody came into the world.
const VERBS: &str = "born|geboren|né le|née le|né à|née à|nacido|nacida|nací|nació|nato|nata|nascido|nascida|nasci|\
    urodzony|urodzona|urodził|urodziła|doğumlu|doğdu|doğdum|родился|родилась|родилась|рождения|народився|народилася|\
    出生于|出生|生まれ|태어|مواليد|जन्म|född|født|syntynyt|született|narozen|rođen|născut";

static AUTOMATON: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .kind(Some(AhoCorasickKind::DFA))
        .build(labels().iter().map(String::as_str).chain(VERBS.split('|')))
        .expect("a hundred short words make an automaton")
});
static LABEL_COUNT: LazyLock<usize> = LazyLock::new(|| labels().len());

/// Labels, after which any notation is a date of birth.
fn labels() -> Vec<String> {
    let joined = |word: &str| [" ", "_", "-", ""].map(|joint| word.replace(' ', joint));
    labelled::sure_words("date_of_birth").flat_map(joined).collect()
}

/// Bytes after a word of birth in which its date stands.
const REACH: usize = 48;
/// Longest ending of an inflected label, in characters: `syntymäaikani`.
const ENDING: usize = 2;
/// Bytes after a verb within which its date may be a short one.
const CLOSE: usize = 5;

fn births(text: &str) -> Vec<Match> {
    let mut found: Vec<Match> = Vec::new();
    let stretches = nearby::digits(text, REACH + 24).into_iter();
    let words =
        stretches.flat_map(|(offset, stretch)| AUTOMATON.find_iter(stretch).map(move |word| (offset, word)));
    for (offset, word) in words {
        let is_label = word.pattern().as_usize() < *LABEL_COUNT;
        let (start, end) = (offset + word.start(), offset + word.end());
        let is_letter = |c: char| c.is_alphabetic() && c < '\u{590}';
        let ending = text[end..].chars().take_while(|c| is_letter(*c)).count();
        if text[..start].ends_with(is_letter) || ending > if is_label { ENDING } else { 0 } {
            continue;
        }
        let span = if is_label { after(text, end, true) } else { of_verb(text, start, end) };
        let confidence = if is_label { 0.95 } else { 0.9 };
        let is_new = |span: &Span| found.last().is_none_or(|last| !last.span.overlaps(*span));
        found.extend(span.filter(is_new).map(|span| Match { span, confidence }));
    }
    found
}

fn of_verb(text: &str, start: usize, end: usize) -> Option<Span> {
    if person_name::speaks_of_the_public(nearby::before(text, start, 60)) {
        return None;
    }
    after(text, end, false).or_else(|| before(text, start))
}

/// The first date after `end`, before the sentence ends.
fn after(text: &str, end: usize, is_label: bool) -> Option<Span> {
    let window = nearby::after(text, end, REACH);
    // Right behind the verb a year of two digits is enough: `geboren am 3.4.87`.
    let is_close = |date: &Span| date.start <= CLOSE;
    let date = dates::first(window, is_label).or_else(|| dates::first(window, true).filter(is_close))?;
    let gap = &window[..date.start];
    let ends_sentence = [". ", "? ", "! ", "; ", "\n\n"].iter().any(|mark| gap.contains(mark));
    let is_far = is_label && gap.chars().filter(|c| c.is_alphabetic()).count() > 12;
    (!ends_sentence && !is_far).then(|| Span::new(end + date.start, end + date.end))
}

/// A date that ends right before `start`, as in `3.3.1987 geboren`.
fn before(text: &str, start: usize) -> Option<Span> {
    let window = nearby::before(text, start, 32);
    let from = start - window.len();
    let date = dates::last(window)?;
    (window.len() - date.end <= 6).then(|| Span::new(from + date.start, from + date.end))
}

#[cfg(test)]
mod tests;
