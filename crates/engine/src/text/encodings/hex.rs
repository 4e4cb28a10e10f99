//! Hexadecimal bytes: in one run, or in pairs separated by a blank, a colon, a comma or `0x`.

use super::Decoder;
use super::payload::{Decoded, Payloads};
use crate::span::Span;
use crate::text::Transform;
use crate::text::letter_pairs::is_language;
use crate::text::scan::Source;
use crate::text::view_builder::ViewBuilder;

/// Characters of a payload at least.
const SHORTEST: usize = 6;

pub struct Hex;

impl Decoder for Hex {
    fn transform(&self) -> Transform {
        Transform::Hex
    }

    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder> {
        let mut payloads = Payloads::default();
        for blob in &source.blobs {
            add_run(source.text, *blob, &mut payloads);
        }
        if source.has_pairs {
            add_pairs(source.text, &mut payloads);
        }
        payloads.finish()
    }
}

fn add_run(text: &str, blob: Span, payloads: &mut Payloads) {
    let bytes = text.as_bytes();
    let start = if blob.of(text).starts_with("0x") { blob.start + 2 } else { blob.start };
    let mut decoded = Decoded::default();
    let mut at = start;
    while let Some(byte) = bytes.get(at..blob.end.min(at + 2)).and_then(pair) {
        decoded.push(byte, Span::new(at, at + 2));
        at += 2;
    }
    if at != blob.end {
        return;
    }
    // A long decimal number may be printable by accident, words it never is.
    let is_number = blob.of(text).bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || decoded.text(SHORTEST).is_some_and(|draft| is_language(&draft.text, SHORTEST)) {
        payloads.add(text, Span::new(start, blob.end), &decoded, SHORTEST);
    }
}

/// Adds every sequence of pairs.
fn add_pairs(text: &str, payloads: &mut Payloads) {
    let bytes = text.as_bytes();
    let (mut decoded, mut whole) = (Decoded::default(), Span::new(0, 0));
    let mut at = 0;
    while at < bytes.len() {
        let Some(span) = next_pair(bytes, at) else { break };
        if !decoded.is_empty() && !is_gap(&bytes[whole.end..span.start]) {
            payloads.add(text, whole, &decoded, SHORTEST);
            decoded = Decoded::default();
        }
        if decoded.is_empty() {
            whole.start = span.start;
        }
        whole.end = span.end;
        decoded.push(pair(&bytes[span.end - 2..span.end]).unwrap_or(0), span);
        at = span.end;
    }
    payloads.add(text, whole, &decoded, SHORTEST);
}

/// The next pair from `at` on that no other letter or digit touches.
fn next_pair(bytes: &[u8], mut at: usize) -> Option<Span> {
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let run = &bytes[at..at + length];
        let is_prefixed = length == 4 && matches!(run, [b'0', b'x' | b'X', ..]);
        if (length == 2 || is_prefixed) && pair(&run[length - 2..]).is_some() {
            return Some(Span::new(at, at + length));
        }
        at += length.max(1);
    }
    None
}

/// Whether what stands between two pairs keeps them together.
fn is_gap(gap: &[u8]) -> bool {
    gap.len() <= 2
        && gap
            .iter()
            .all(|byte| byte.is_ascii_whitespace() || matches!(byte, b':' | b'-' | b',' | b';' | b'%' | b'='))
}

fn pair(digits: &[u8]) -> Option<u8> {
    let [high, low] = digits else { return None };
    Some((nibble(*high)? << 4) | nibble(*low)?)
}

/// The value of a hexadecimal digit.
pub const fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}
