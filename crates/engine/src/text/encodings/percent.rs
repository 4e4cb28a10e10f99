//! Percent-encoding (RFC 3986, section 2.1), and quoted-printable (RFC 2045, section 6.7).

use memchr::memchr2;

use super::Decoder;
use super::hex::nibble;
use crate::span::Span;
use crate::text::Transform;
use crate::text::scan::Source;
use crate::text::view_builder::{Edits, ViewBuilder};

/// Letters, digits or blanks that must have been hidden: addresses escape a sign or a single blank every day.
const HIDDEN: usize = 3;

pub struct Percent;

impl Decoder for Percent {
    fn transform(&self) -> Transform {
        Transform::Url
    }

    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder> {
        let bytes = source.text.as_bytes();
        let mut edits = Edits::default();
        let mut at = 0;
        while let Some(found) = memchr2(b'%', b'=', &bytes[at..]) {
            at = sequence(bytes, at + found, &mut edits);
        }
        (is_telling(edits.pieces()) || edits.hold_address(source.text)).then(|| edits.apply(source.text))?
    }
}

/// Decodes the escapes that begin at `at`, and answers where to go on.
fn sequence(bytes: &[u8], at: usize, edits: &mut Edits) -> usize {
    let mut decoded = Vec::new();
    let mut end = at;
    while let Some(byte) = escape(bytes, end, bytes[at]) {
        decoded.push(byte);
        end += 3;
    }
    let mut start = at;
    for chunk in decoded.utf8_chunks() {
        for character in chunk.valid().chars() {
            let after = start + 3 * character.len_utf8();
            edits.replace_char(Span::new(start, after), character);
            start = after;
        }
        start += 3 * chunk.invalid().len();
    }
    end.max(at + 1)
}

fn escape(bytes: &[u8], at: usize, sign: u8) -> Option<u8> {
    match bytes.get(at..at + 3)? {
        [first, high, low] if *first == sign => Some(nibble(*high)? << 4 | nibble(*low)?),
        _ => None,
    }
}

/// Whether what was hidden is worth another look.
fn is_telling(hidden: &str) -> bool {
    let tells = |character: &char| character.is_alphanumeric() || matches!(character, ' ' | '%');
    hidden.chars().filter(tells).take(HIDDEN).count() == HIDDEN
}
