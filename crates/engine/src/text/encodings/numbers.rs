//! Bytes in binary, and character codes in decimal.

use super::Decoder;
use super::payload::{Decoded, Payloads};
use crate::span::Span;
use crate::text::Transform;
use crate::text::letter_pairs::is_language;
use crate::text::scan::Source;
use crate::text::view_builder::ViewBuilder;

/// Characters of a payload at least.
const SHORTEST: usize = 6;

/// Eight zeros and ones a byte.
pub struct Binary;

impl Decoder for Binary {
    fn transform(&self) -> Transform {
        Transform::Binary
    }

    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder> {
        let has_bits = source.blobs.iter().any(|blob| blob.of(source.text).bytes().all(is_bit));
        if !source.has_pairs && !has_bits {
            return None;
        }
        collect(source.text, |bytes, run, decoded| {
            let digits = &bytes[run.start..run.end];
            if digits.len() % 8 != 0 || !digits.iter().all(|byte| is_bit(*byte)) {
                return false;
            }
            for (index, octet) in digits.chunks(8).enumerate() {
                let byte = octet.iter().fold(0u8, |byte, bit| byte << 1 | (bit & 1));
                let start = run.start + index * 8;
                decoded.push(byte, Span::new(start, start + 8));
            }
            true
        })
    }
}

/// ASCII codes in decimal: only words are believed, since lists of numbers are common.
pub struct Decimal;

impl Decoder for Decimal {
    fn transform(&self) -> Transform {
        Transform::Decimal
    }

    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder> {
        if !source.has_numbers {
            return None;
        }
        let draft = collect(source.text, |bytes, run, decoded| {
            let digits = &bytes[run.start..run.end];
            let code = digits.iter().fold(0u32, |code, digit| (code * 10 + u32::from(digit & 15)).min(999));
            let is_code = digits.len() <= 3 && (32..127).contains(&code);
            if is_code {
                decoded.push(code as u8, run);
            }
            is_code
        })?;
        is_language(&draft.text, SHORTEST).then_some(draft)
    }
}

/// Gathers sequences of numbers that `read` takes, parted by at most three signs or blanks.
fn collect(text: &str, read: impl Fn(&[u8], Span, &mut Decoded) -> bool) -> Option<ViewBuilder> {
    let bytes = text.as_bytes();
    let mut payloads = Payloads::default();
    let (mut decoded, mut whole) = (Decoded::default(), Span::new(0, 0));
    let mut at = 0;
    while let Some(run) = next_number(bytes, at) {
        at = run.end;
        if run.start > whole.end + 3 {
            payloads.add(text, whole, &decoded, SHORTEST);
            decoded = Decoded::default();
        }
        if decoded.is_empty() {
            whole.start = run.start;
        }
        if read(bytes, run, &mut decoded) {
            whole.end = run.end;
        } else {
            payloads.add(text, whole, &decoded, SHORTEST);
            decoded = Decoded::default();
        }
    }
    payloads.add(text, whole, &decoded, SHORTEST);
    payloads.finish()
}

/// The next digits from `at` on.
fn next_number(bytes: &[u8], at: usize) -> Option<Span> {
    let start = at + bytes[at..].iter().position(u8::is_ascii_digit)?;
    let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    Some(Span::new(start, start + length))
}

const fn is_bit(byte: u8) -> bool {
    matches!(byte, b'0' | b'1')
}
