//! Escape sequences of programming languages: `\u0069`, `\u{69}`, `\U00000069`, `\x69`, `\151`.

use memchr::memchr;

use super::Decoder;
use crate::span::Span;
use crate::text::Transform;
use crate::text::scan::Source;
use crate::text::view_builder::{Edits, ViewBuilder};

/// Letters or digits that must have been hidden.
const HIDDEN: usize = 3;

pub struct Escapes;

impl Decoder for Escapes {
    fn transform(&self) -> Transform {
        Transform::Escapes
    }

    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder> {
        let bytes = source.text.as_bytes();
        let mut edits = Edits::default();
        let mut at = 0;
        while let Some(found) = memchr(b'\\', &bytes[at..]) {
            at += found;
            if let Some((length, character)) = escape(&bytes[at..]) {
                edits.replace_char(Span::new(at, at + length), character);
                at += length;
            } else {
                at += 1;
            }
        }
        let letters = edits.pieces().chars().filter(|it| it.is_alphanumeric() || *it == '\\');
        let is_hidden = letters.take(HIDDEN).count() == HIDDEN;
        (is_hidden || edits.hold_address(source.text)).then(|| edits.apply(source.text))?
    }
}

/// The escape at the beginning of `bytes`, its length and what it stands for.
fn escape(bytes: &[u8]) -> Option<(usize, char)> {
    match bytes.get(1)? {
        b'u' if bytes.get(2) == Some(&b'{') => braced(bytes),
        b'u' => utf16(bytes),
        b'U' => Some((10, char::from_u32(digits(bytes, 2, 8, 16)?)?)),
        b'x' => Some((4, char::from_u32(digits(bytes, 2, 2, 16)?)?)),
        b'0'..=b'3' => Some((4, char::from_u32(digits(bytes, 1, 3, 8)?)?)),
        _ => None,
    }
}

fn braced(bytes: &[u8]) -> Option<(usize, char)> {
    let length = bytes.iter().take(11).position(|byte| *byte == b'}')?;
    Some((length + 1, char::from_u32(digits(bytes, 3, length - 3, 16)?)?))
}

/// Four digits, or two times four for a surrogate pair (RFC 8259, section 7).
fn utf16(bytes: &[u8]) -> Option<(usize, char)> {
    let high = digits(bytes, 2, 4, 16)?;
    if !(0xD800..0xDC00).contains(&high) {
        return Some((6, char::from_u32(high)?));
    }
    let low = bytes.get(6..8).filter(|sign| *sign == b"\\u").and_then(|_| digits(bytes, 8, 4, 16))?;
    let low = low.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
    Some((12, char::from_u32(0x10000 + ((high - 0xD800) << 10) + low)?))
}

/// The number in `length` digits from `start` on.
fn digits(bytes: &[u8], start: usize, length: usize, radix: u32) -> Option<u32> {
    let digits = bytes.get(start..start + length).filter(|digits| !digits.is_empty())?;
    digits.iter().try_fold(0u32, |number, digit| Some(number * radix + (*digit as char).to_digit(radix)?))
}
