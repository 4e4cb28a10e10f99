//! Secrets behind a label, and in the headers of requests.

use memchr::memmem;

use super::entropy::{is_placeholder, is_random, is_words};
use crate::{
    pii::{
        Match, Scanner,
        labelled::{Field, Kind, Sign},
    },
    span::Span,
};

/// Shortest and longest secret, in bytes.
const SHORTEST: usize = 16;
const LONGEST: usize = 512;
/// Shortest value behind a label that only secrets have, in bytes.
const SHORTEST_LABELLED: usize = 8;
const CONFIDENCE: f32 = 0.9;

/// Adds the tokens behind `Bearer`.
pub fn find(text: &str, found: &mut Vec<Match>) {
    found.extend(memmem::find_iter(text.as_bytes(), b"earer ").filter_map(|place| bearer(text, place + 6)));
}

// RFC 6750, 2.1: `Bearer` and the token.
fn bearer(text: &str, start: usize) -> Option<Match> {
    let length = text[start..].bytes().take(LONGEST).take_while(|byte| is_part(*byte)).count();
    let token = text[start..start + length].trim_end_matches('.');
    is_secret(token).then(|| found(Span::new(start, start + token.len())))
}

const fn found(span: Span) -> Match {
    Match { span, confidence: CONFIDENCE }
}

/// Returns the secret of a field.
pub fn labelled(scan: &Scanner<'_>, field: &Field) -> Option<Match> {
    let is_given = field.sign == Sign::Assigned || field.value.is_quoted;
    match field.kind {
        Kind::Secret => secret(scan.text, field),
        Kind::Authorization if is_given => super::headers::credentials(scan.text, field).map(found),
        Kind::Cookie if is_given => super::headers::cookie(scan.text, field).map(found),
        _ => None,
    }
}

fn secret(text: &str, field: &Field) -> Option<Match> {
    let span = field.value.span;
    let value = span.of(text);
    let is_sure =
        field.sign == Sign::Assigned && (!field.is_weak || field.is_machine_key(text)) && is_given(value);
    let is_mixed =
        field.sign == Sign::Assigned && is_given(value) && !is_words(value) && has_digit_inside(value);
    (is_sure || is_mixed || is_secret(value)).then(|| found(span))
}

/// Returns whether it may be a secret that somebody chose: letters and digits, no code, no template, no name of a secret.
fn is_given(value: &str) -> bool {
    const NAMES: [&str; 6] = ["key", "token", "secret", "password", "test", "example"];
    let lower = value.to_ascii_lowercase();
    let is_code = value.contains(['(', ')', '{', '}', '[', ']', '<', '>', '$', ' ']) || value.contains("://");
    let is_number = !value.contains(|c: char| c.is_alphabetic());
    (SHORTEST_LABELLED..=LONGEST).contains(&value.len())
        && value.contains(|c: char| c.is_ascii_digit())
        && !is_number
        && !is_code
        && !is_placeholder(value)
        && !NAMES.iter().any(|name| lower.contains(name))
        && !is_path(value)
}

fn is_path(value: &str) -> bool {
    value.starts_with(['/', '.', '~', '_', '&', '*']) || value.contains("::") || lower_member(value)
}

/// `config.api_v2`: names joined by dots.
fn lower_member(value: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    value.contains('.') && value.split('.').all(|part| is_name(part) && part.len() < 16)
}

/// Returns whether digits stand between letters, so that it is no word with a number.
fn has_digit_inside(value: &str) -> bool {
    let bare = value.trim_end_matches(|c: char| c.is_ascii_digit());
    bare.contains(|c: char| c.is_ascii_digit()) || value.contains(['!', '#', '&', '*', '+', '?', '^', '~'])
}

pub(super) fn is_secret(value: &str) -> bool {
    (SHORTEST..=LONGEST).contains(&value.len()) && value.bytes().all(is_part) && is_random(value)
}

// Base64 in both alphabets (RFC 4648), hexadecimal, and the separators of tokens.
pub(super) const fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b'+' | b'=' | b'~' | b':')
}
