//! Writes and reads the markers that replace values.

use crate::{pii::types::PII_TYPES, span::Span};

/// Maximum length of a type name in a marker: letters, digits and underscores.
const LONGEST_KIND: usize = 48;
const HASH_LENGTH: usize = 16;
/// Length of a token identifier.
pub(super) const TOKEN_LENGTH: usize = 20;
/// Digits of the shortest number that a marker may not contain.
const SHORTEST_NUMBER: usize = 9;

/// `[EMAIL_REDACTED]`.
pub(crate) fn full(kind: &str) -> String {
    format!("[{}_REDACTED]", kind.to_ascii_uppercase())
}

/// `[EMAIL_HASH_0123456789abcdef]`.
pub(super) fn hash(kind: &str, digest: &str) -> String {
    format!("[{}_HASH_{digest}]", kind.to_ascii_uppercase())
}

/// `[EMAIL_TOKEN_abcdefghijklmnopqrst]`.
pub(super) fn token(kind: &str, id: &str) -> String {
    format!("[{}_TOKEN_{id}]", kind.to_ascii_uppercase())
}

/// Returns the markers of `full`, `hash` and `token` in `text`, including brackets, in ascending order.
///
/// Nothing inside them is masked again. A marker names a PII type, built in or `custom`, and its digest or identifier has no long run of
/// digits: so nobody can hide a number in brackets.
pub fn markers(text: &str, custom: &[String]) -> Vec<Span> {
    brackets(text).filter(|(_, inner)| is_marker(inner, custom)).map(|(span, _)| span).collect()
}

/// Returns whether `text` has a marker of `full`, `hash` or `token`, whatever type it names: custom types have names that
/// only their policy knows.
pub fn has_marker(text: &str) -> bool {
    brackets(text).any(|(_, inner)| {
        marked(inner).is_some_and(|kind| {
            kind.starts_with(|first: char| first.is_ascii_uppercase())
                && !kind.bytes().any(|byte| byte.is_ascii_lowercase())
        })
    })
}

/// Returns short bracketed runs of letters, digits and underscores.
fn brackets(text: &str) -> impl Iterator<Item = (Span, &str)> {
    memchr::memchr_iter(b'[', text.as_bytes()).filter_map(|start| {
        let inner = &text.as_bytes()[start + 1..];
        let allowed = LONGEST_KIND + "_TOKEN_".len() + TOKEN_LENGTH + 1;
        let length = inner.iter().take(allowed).position(|byte| !is_word(*byte))?;
        (inner[length] == b']')
            .then(|| (Span::new(start, start + length + 2), &text[start + 1..=start + length]))
    })
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_marker(inner: &str, custom: &[String]) -> bool {
    marked(inner).is_some_and(|kind| is_kind(kind, custom))
}

/// Returns the type name of a marker of `full`, `hash` or `token`.
fn marked(inner: &str) -> Option<&str> {
    inner.strip_suffix("_REDACTED").or_else(|| hashed(inner)).or_else(|| tokenized(inner))
}

/// Returns the type name of a marker of `hash`.
fn hashed(inner: &str) -> Option<&str> {
    let (kind, digest) = inner.rsplit_once("_HASH_")?;
    let is_hex = digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (digest.len() == HASH_LENGTH && is_hex && !has_number(digest)).then_some(kind)
}

/// Returns the type name of a marker of `token`.
fn tokenized(inner: &str) -> Option<&str> {
    let (kind, id) = inner.rsplit_once("_TOKEN_")?;
    let is_base32 = id.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7'));
    (id.len() == TOKEN_LENGTH && is_base32 && !has_number(id)).then_some(kind)
}

fn is_kind(name: &str, custom: &[String]) -> bool {
    let is_upper = !name.bytes().any(|byte| byte.is_ascii_lowercase());
    let mut known = PII_TYPES.iter().map(|kind| kind.name()).chain(custom.iter().map(String::as_str));
    is_upper && known.any(|kind| kind.eq_ignore_ascii_case(name))
}

/// Returns whether a digest or identifier has a run of digits as long as the shortest number that counts as PII by its
/// form. Of our own digests one in twenty has one by chance. It is then looked at like any text, and about one in a
/// hundred thousand holds a number of distinctive form.
fn has_number(code: &str) -> bool {
    code.split(|c: char| !c.is_ascii_digit()).any(|run| run.len() >= SHORTEST_NUMBER)
}
