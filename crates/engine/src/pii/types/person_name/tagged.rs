//! Names found by the tagger.

use super::{
    lists::{self, Class},
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
/// The names in the text that their words and their order give away.
pub(super) fn find(scan: &Scanner<'_>, found: &mut Vec<Match>) {
    found.extend(scan.tagged(EntityClass::Person).filter_map(|one| judged(scan.text, one)));
}

fn judged(text: &str, one: Match) -> Option<Match> {
    let span = without_titles(text, one.span);
    if span.is_empty() || one.confidence < enough(span.of(text)) {
        return None;
    }
    let is_public = speaks_of_the_public(with_word_before(text, span)) || is_public_talk(text, span);
    (!is_public || stands_beside_private_details(text, span))
        .then(|| Match { span, confidence: one.confidence.min(MOST) })
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
