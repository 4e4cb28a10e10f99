//! Post-office boxes.

use std::sync::LazyLock;

use regex::Regex;

use super::city_postcode;
use crate::{
    pii::{Match, nearby},
    regex::pattern,
    span::Span,
};

static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^:? (?:#|Nr\.? ?|n\.? ?)?\d[\d ]{0,6}\d\b|^ \d\b"));

/// The box whose words stand at `words`, with its number and place.
pub(super) fn address(text: &str, words: Span) -> Option<Match> {
    let number = NUMBER.find(nearby::after(text, words.end, 24))?;
    let (end, is_placed) = city_postcode::end(text, words.end + number.end());
    Some(Match { span: Span::new(words.start, end), confidence: if is_placed { 0.9 } else { 0.75 } })
}
