//! Surnames before given names: `Lee, Daniel` at the beginning of an entry, `LEE/DANIEL MR` in travel papers.

use super::{
    lists::{class, is_public, looks_like_surname},
    nobody,
    words::{self, PARTICLES, Word},
    written::stands_beside_private_details,
};
use crate::{pii::Match, span::Span};

/// Confidence of such a name alone, and beside private details.
const ALONE: f32 = 0.6;
const BESIDE_DETAILS: f32 = 0.75;
/// Words of a surname at most.
const SURNAMES: usize = 3;
/// Titles behind a name in travel papers (IATA Resolution 722, name field).
const TITLES: [&str; 8] = ["MR", "MRS", "MS", "MISS", "MSTR", "MSTER", "DR", "CHD"];

/// The name whose surname `run` is.
pub(super) fn find(text: &str, run: &[Word<'_>]) -> Option<Match> {
    let (first, last) = (run.first()?, run.last()?);
    let rest = &text[last.span.end..];
    let gap = if rest.starts_with(", ") { 2 } else { usize::from(rest.starts_with(['/', ','])) };
    if gap == 0 || run.len() > SURNAMES {
        return None;
    }
    let given = given(text, last.span.end + gap, last).filter(|given| !is_listing(run, given))?;
    let is_slashed = rest.starts_with('/');
    let is_name = if is_slashed {
        is_shouted(last) && (given.is_titled || given.is_known) && begins_word(text, first.span.start)
    } else {
        let start = without_particles(text, first.span.start);
        given.is_known && given.ends_entry && begins_entry(text, start) && is_surname(text, run, start, given.is_followed)
    };
    let start = if is_slashed { first.span.start } else { without_particles(text, first.span.start) };
    let span = Span::new(start, given.span.end);
    let name = format!("{} {}", given.span.of(text), last.text);
    (is_name && !is_public(&name)).then(|| Match { span, confidence: confidence(text, span) })
}

fn confidence(text: &str, span: Span) -> f32 {
    if stands_beside_private_details(text, span) { BESIDE_DETAILS } else { ALONE }
}

/// Whether these are rather names in their usual order, or given names, one after the other.
fn is_listing(run: &[Word<'_>], given: &Given) -> bool {
    let is_full = run.len() > 1 && run[0].class.is_plain_given();
    !run.iter().all(is_shouted) && (is_full || given.is_in_list)
}

/// What stands where a given name would.
struct Given {
    span: Span,
    is_known: bool,
    is_titled: bool,
    is_in_list: bool,
    ends_entry: bool,
    is_followed: bool,
}

fn given(text: &str, at: usize, surname: &Word<'_>) -> Option<Given> {
    let mut run = Vec::new();
    if !text.get(at..)?.starts_with(char::is_uppercase) {
        return None;
    }
    words::read_run(text, at, &mut run);
    let is_title = |word: &Word<'_>| TITLES.contains(&word.text);
    let is_titled = run.iter().skip(1).any(is_title);
    let names: Vec<_> = run.iter().take_while(|word| !is_title(word)).take(SURNAMES).collect();
    let (first, last) = (names.first()?, names.last()?);
    let rest = text[last.span.end..].trim_start_matches('.');
    Some(Given {
        span: Span::new(first.span.start, last.span.end),
        is_known: names.iter().all(|word| word.class.is_given() || word.is_initial())
            && (first.class.is_plain_given() || surname.class.is_plain_surname()),
        is_in_list: rest.strip_prefix(", ").is_some_and(|next| next.starts_with(char::is_uppercase)),
        is_titled,
        is_followed: rest.starts_with([';', '|']),
        ends_entry: is_titled || rest.is_empty() || rest.starts_with([';', '\n', '\r', '|', ',', '"', '\t', ')', '('])
            || [" (", " /", " -", " –"].iter().any(|sign| rest.starts_with(sign)),
    })
}

/// Whether the words may be a surname: known, shouted, of its form, or at home in a list.
fn is_surname(text: &str, run: &[Word<'_>], start: usize, is_followed: bool) -> bool {
    let may_be = |word: &Word<'_>| {
        let class = word.class;
        let is_other = class.is_stop() || class.is_organisation() || class.is_title() || nobody::is_one(word.text);
        word.text.len() > 1 && (class.is_surname() || !is_other)
    };
    let is_known = |word: &Word<'_>| word.class.is_surname() || looks_like_surname(word.text);
    let has_particle = start < run[0].span.start;
    let is_listed = text[..start].trim_end().ends_with([';', '|']) || is_followed;
    run.iter().all(may_be) && (has_particle || is_listed || run.iter().any(|word| is_known(word) || is_shouted(word)))
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

fn begins_word(text: &str, start: usize) -> bool {
    !text[..start].ends_with(['/', '\\', '.', '-', '_', '$'])
}
