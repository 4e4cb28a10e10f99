//! Names found by the tagger.

use super::{
    context_before,
    lists::{self, Class},
    not_names,
    notability::{is_public_talk, stands_beside_private_details},
    speaks_of_the_public,
};
use crate::{
    pii::{
        Match, Scanner, nearby,
        tagger::{MOST, tag::EntityClass},
    },
    span::Span,
};

/// Confidence from which the tagger is believed about words of which the lists know one as a name.
const LISTED: f32 = 0.5;
/// The same for one word alone.
const ONE_WORD: f32 = 0.55;
/// The same where they know none.
const UNLISTED: f32 = 0.6;
/// The same where they know one as something else.
const DOUBTFUL: f32 = 0.9;
/// Labels that things have as well as people.
const BARE_LABELS: [&str; 6] = ["name", "nombre", "nom", "nome", "naam", "nume"];

/// The names in the text that their words and their order give away.
pub(super) fn find(scan: &Scanner<'_>, found: &mut Vec<Match>) {
    found.extend(scan.tagged(EntityClass::Person).filter_map(|one| judged(scan.text, one)));
}

fn judged(text: &str, one: Match) -> Option<Match> {
    let span = without_titles(text, one.span);
    if span.is_empty() || one.confidence < enough(span.of(text)) {
        return None;
    }
    if is_bare_field(text, span) && !is_listed(span.of(text)) && !context_before::stands_in_form(text, span) {
        return None;
    }
    if span.of(text).split([' ', '-']).all(not_names::is_one) {
        return None;
    }
    let is_public = speaks_of_the_public(with_word_before(text, span)) || is_public_talk(text, span);
    (!is_public || stands_beside_private_details(text, span))
        .then(|| Match { span, confidence: one.confidence.min(MOST) })
}

/// Returns whether a label stands right before it that things have as well: `"name": "…"`, `<name>…`.
fn is_bare_field(text: &str, span: Span) -> bool {
    let before = nearby::before(text, span.start, 24);
    let label = before.trim_end_matches([' ', '"', '\'', ':', '=', '>']);
    let is_parted = before[label.len()..].contains([':', '=', '>']);
    let word = label.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    is_parted && BARE_LABELS.iter().any(|bare| bare.eq_ignore_ascii_case(word))
}

/// Returns whether the lists know a given name first and a surname last.
fn is_listed(name: &str) -> bool {
    let mut words = name.split(' ').map(lists::class);
    words.next().is_some_and(Class::is_plain_given) && words.next_back().is_some_and(Class::is_plain_surname)
}

/// How sure the tagger must be.
fn enough(name: &str) -> f32 {
    let words = || name.split([' ', ',', '-']).map(lists::class);
    let is_alone = words().count() == 1;
    let is_other =
        |class: Class| class.is_organisation() || class.is_stop() || (is_alone && class.is_ambiguous());
    let is_shouted = is_alone && !name.contains(char::is_lowercase);
    let is_listed = words().any(|class| class.is_given() || class.is_surname());
    match is_listed {
        _ if is_shouted || words().any(is_other) => DOUBTFUL,
        false => UNLISTED,
        true if is_alone => ONE_WORD,
        true => LISTED,
    }
}

fn without_titles(text: &str, mut span: Span) -> Span {
    while let Some(end) =
        span.of(text).find([' ', '.']).filter(|end| lists::class(&span.of(text)[..*end]).is_title())
    {
        let rest = span.of(text)[end..].trim_start_matches([' ', '.']);
        span.start = span.end - rest.len();
    }
    span
}

/// The name with the word before it, which the tagger may have taken for something else.
fn with_word_before(text: &str, span: Span) -> &str {
    let before = nearby::before(text, span.start, 16);
    let word = before.trim_end().rfind(|c: char| !c.is_alphabetic()).map_or(before, |place| &before[place..]);
    &text[span.start - word.len()..span.end]
}
