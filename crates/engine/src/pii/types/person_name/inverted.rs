//! Surnames before given names: `Lee, Daniel` at the start of an entry, `LEE/DANIEL MR` in travel documents.

use super::{
    lists::{class, is_public, looks_like_surname},
    not_names,
    notability::stands_beside_private_details,
    words::{self, PARTICLES, Word},
};
use crate::{pii::Match, span::Span};

/// Confidence of such a name alone, and beside private details.
const ALONE: f32 = 0.6;
const BESIDE_DETAILS: f32 = 0.75;
/// Words of a surname at most.
const SURNAMES: usize = 3;
/// Titles behind a name in travel papers (IATA Resolution 722, name field).
const TITLES: [&str; 8] = ["MR", "MRS", "MS", "MISS", "MSTR", "MSTER", "DR", "CHD"];
/// Words before a name in records.
const LEADS: [&str; 4] = ["Pt", "Patient", "Client", "Re"];
/// What tells of a birth right behind a name.
const BORN: [&str; 12] = [
    ", DOB", ", D.O.B", ", dob", ", born", ", geb", ", né", ", nacid", ", nato", ", nata", ", nascid",
    ", ur.", " (DOB",
];

/// The name whose surname `run` is.
pub(super) fn find(text: &str, run: &[Word<'_>]) -> Option<Match> {
    let is_lead = |word: &Word<'_>| word.class.is_title() || LEADS.contains(&word.text);
    let run = &run[run.iter().take(1).filter(|word| is_lead(word)).count()..];
    let (first, last) = (run.first()?, run.last()?);
    let rest = &text[last.span.end..];
    let gap = if rest.starts_with(", ") { 2 } else { usize::from(rest.starts_with(['/', ','])) };
    if gap == 0 || run.len() > SURNAMES {
        return None;
    }
    let given = Given::read(text, last.span.end + gap, last)?;
    let start = if rest.starts_with('/') {
        is_in_travel_papers(text, run, &given).then_some(first.span.start)
    } else {
        let start = without_particles(text, first.span.start);
        is_entry(text, run, start, &given).then_some(start)
    }?;
    let span = Span::new(start, given.span.end);
    let is_known_to_all = is_public(&format!("{} {}", given.span.of(text), last.text));
    (!is_known_to_all).then(|| Match { span, confidence: confidence(text, span) })
}

fn confidence(text: &str, span: Span) -> f32 {
    if stands_beside_private_details(text, span) { BESIDE_DETAILS } else { ALONE }
}

fn is_in_travel_papers(text: &str, run: &[Word<'_>], given: &Given<'_>) -> bool {
    let begins = !text[..run[0].span.start].ends_with(['/', '\\', '.', '-', '_', '$']);
    begins && run.last().is_some_and(is_shouted) && (given.is_titled || given.is_known)
}

fn is_entry(text: &str, run: &[Word<'_>], start: usize, given: &Given<'_>) -> bool {
    let is_born = BORN.iter().any(|born| given.rest.starts_with(born));
    let begins =
        || given.is_known && given.ends_entry() && !is_listing(run, given) && begins_entry(text, start);
    (is_born || begins()) && is_surname(text, run, start, is_born || given.rest.starts_with([';', '|']))
}

/// Whether these are rather names in their usual order, or given names, one after the other.
fn is_listing(run: &[Word<'_>], given: &Given<'_>) -> bool {
    let is_full = run.len() > 1 && run[0].class.is_plain_given();
    let goes_on = given.rest.strip_prefix(", ").is_some_and(|next| next.starts_with(char::is_uppercase));
    !run.iter().all(is_shouted) && (is_full || goes_on)
}

/// What stands where a given name would.
struct Given<'t> {
    span: Span,
    /// What follows it.
    rest: &'t str,
    is_known: bool,
    is_titled: bool,
}

impl<'t> Given<'t> {
    fn read(text: &'t str, at: usize, surname: &Word<'_>) -> Option<Self> {
        let mut run = Vec::new();
        if !text.get(at..)?.starts_with(char::is_uppercase) {
            return None;
        }
        words::read_run(text, at, &mut run);
        let is_title = |word: &Word<'_>| TITLES.contains(&word.text);
        let names: Vec<_> = run.iter().take_while(|word| !is_title(word)).take(SURNAMES).collect();
        let (first, last) = (names.first()?, names.last()?);
        let rest = text[last.span.end..].trim_start_matches('.');
        let is_sure =
            first.class.is_plain_given() || surname.class.is_plain_surname() || rest.starts_with(';');
        let is_given = |word: &&Word<'_>| word.class.is_given() || word.is_initial();
        Some(Self {
            span: Span::new(first.span.start, last.span.end),
            rest,
            is_known: is_sure && names.iter().all(is_given),
            is_titled: run.iter().skip(1).any(is_title),
        })
    }

    fn ends_entry(&self) -> bool {
        self.is_titled
            || self.rest.is_empty()
            || self.rest.starts_with([';', '\n', '\r', '|', ',', '"', '\t', ')', '('])
            || [" (", " /", " -", " –"].iter().any(|sign| self.rest.starts_with(sign))
    }
}

/// Whether the words may be a surname: known, shouted, of its form, or where only names stand.
fn is_surname(text: &str, run: &[Word<'_>], start: usize, is_followed: bool) -> bool {
    let may_be = |word: &Word<'_>| {
        let class = word.class;
        let is_other =
            class.is_stop() || class.is_organisation() || class.is_title() || not_names::is_one(word.text);
        word.text.len() > 1 && (class.is_surname() || !is_other)
    };
    let is_known = |word: &Word<'_>| word.class.is_surname() || looks_like_surname(word.text);
    let has_particle = start < run[0].span.start;
    let is_listed = text[..start].trim_end().ends_with([';', '|']) || is_followed;
    run.iter().all(may_be)
        && (has_particle || is_listed || run.iter().any(|word| is_known(word) || is_shouted(word)))
}

/// Capitals alone, more than an abbreviation has.
fn is_shouted(word: &Word<'_>) -> bool {
    let is_long = word.text.len() > 4 || class(word.text).is_surname();
    is_long && !word.text.contains(char::is_lowercase)
}

/// Where the small words before the surname begin.
fn without_particles(text: &str, mut start: usize) -> usize {
    for _ in 0..2 {
        let Some(before) = text[..start].strip_suffix(' ') else { break };
        let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        if !PARTICLES.contains(&word) {
            break;
        }
        start = before.len() - word.len();
    }
    start
}

/// Whether a line, a label's value, a cell or an item begins there.
fn begins_entry(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches([' ', '"', '*', '\'']);
    let is_numbered = || before.trim_end_matches(['.', ')']).ends_with(|c: char| c.is_ascii_digit());
    before.is_empty()
        || before.ends_with(['\n', ';', ':', '|', '\t', '(', '•', '>'])
        || before.ends_with("\n-")
        || (before.ends_with(['.', ')']) && is_numbered())
}
