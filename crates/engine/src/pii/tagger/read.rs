//! Reads words from a text, forwards and backwards.

use super::token::{Gap, Shape, Token};
use crate::{
    pii::{
        nearby,
        types::names::{Class, class},
    },
    span::Span,
};

/// Bytes that a gap may have before it parts two texts, and bytes of a word that are read.
const FARTHEST: usize = 24;
const LONGEST: usize = 48;
/// What hangs on a word and is none of it.
const CLITICS: [&str; 8] = ["'s", "’s", "'m", "'ll", "'re", "'ve", "’m", "’ll"];

/// The first word at or behind `from`, and the gap before it; `None` at the end of the text and behind a long gap.
pub(super) fn next(text: &str, from: usize) -> Option<Token<'_>> {
    let mut gap = Gap::Blank;
    let mut lines = 0;
    for (offset, c) in text[from..].char_indices() {
        if c.is_alphanumeric() {
            return Some(at(text, from + offset, gap));
        }
        gap = gap.max(Gap::of(c));
        lines += usize::from(c == '\n');
        if offset > FARTHEST || lines > 1 {
            return None;
        }
    }
    None
}

/// The last word that ends at or before `until`, without the gap before it.
pub(super) fn previous(text: &str, until: usize) -> Option<Token<'_>> {
    let near = nearby::before(text, until, FARTHEST);
    let end = near.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
    let end = until - near.len() + end;
    let start = word_start(text, end);
    (start < end).then(|| at(&text[..end], start, Gap::Blank))
}

/// Where the word begins that goes up to `end`, `end` itself when none does.
pub(super) fn word_start(text: &str, end: usize) -> usize {
    let near = nearby::before(text, end, FARTHEST);
    let (mut start, mut joined) = (end, false);
    for (place, c) in near.char_indices().rev() {
        let goes_on = is_word(c);
        if !(goes_on || (is_inner(c) && !joined)) {
            break;
        }
        joined = !goes_on;
        start = if goes_on { end - near.len() + place } else { start };
    }
    start
}

/// Where the word stands that begins at `start`.
pub(super) fn word(text: &str, start: usize) -> Span {
    Span::new(start, start + length(&text[start..]))
}

/// The word that begins at `start`.
pub(super) fn at(text: &str, start: usize, gap: Gap) -> Token<'_> {
    let span = word(text, start);
    let written = span.of(text);
    let shape = shape(written);
    let capital = matches!(shape, Shape::Capitalised | Shape::Capitals | Shape::Mixed | Shape::Initial);
    let (word, prefix, suffix) = hashes(written.as_bytes());
    let class = if capital { class(written) } else { Class::UNKNOWN };
    Token { text: written, span, word, prefix, suffix, shape, gap, class }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether it may stand between two letters of one word.
fn is_inner(c: char) -> bool {
    matches!(c, '-' | '\'' | '’' | '.')
}

/// Letters, digits and underscores; hyphens, apostrophes and points between two of them.
fn length(rest: &str) -> usize {
    let plain = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let ends = |byte: &u8| byte.is_ascii() && !is_inner(char::from(*byte));
    if plain <= LONGEST && rest.as_bytes().get(plain).is_none_or(ends) {
        return plain;
    }
    let mut end = 0;
    for (offset, c) in rest.char_indices() {
        let goes_on = is_word(c);
        if offset > LONGEST || !(goes_on || is_inner(c)) || (!goes_on && offset > end) {
            break;
        }
        if goes_on {
            end = offset + c.len_utf8();
        }
    }
    let written = &rest[..end];
    CLITICS.iter().find_map(|clitic| written.strip_suffix(clitic)).map_or(end, str::len)
}

fn shape(word: &str) -> Shape {
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Shape::Small;
    }
    let (mut capitals, mut small, mut digits, mut letters) = (0, 0, 0, 0);
    for c in word.chars() {
        capitals += usize::from(c.is_uppercase());
        small += usize::from(c.is_lowercase());
        digits += usize::from(c.is_ascii_digit());
        letters += usize::from(c.is_alphabetic());
    }
    match (capitals, small, digits) {
        _ if word.contains('_') => Shape::Identifier,
        (_, _, 1..) if letters > 0 => Shape::Alphanumeric,
        (_, _, 1..=3) => Shape::Number,
        (_, _, 4 | 5) => Shape::Long,
        (_, _, 6..) => Shape::Longest,
        (0, 0, _) => Shape::Caseless,
        (0, ..) => Shape::Small,
        (1, 0, _) => Shape::Initial,
        (_, 0, _) => Shape::Capitals,
        _ if !word.starts_with(char::is_uppercase) => Shape::Mixed,
        (1, ..) => Shape::Capitalised,
        _ if word.contains(['-', '\'', '’', '.']) => Shape::Capitalised,
        _ => Shape::Mixed,
    }
}

/// FNV-1a over the word, its first and its last three bytes, ASCII capitals as small letters.
fn hashes(word: &[u8]) -> (u32, u32, u32) {
    let hash = |bytes: &[u8]| {
        bytes.iter().fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
        })
    };
    (hash(word), hash(&word[..word.len().min(3)]), hash(&word[word.len().saturating_sub(3)..]))
}
