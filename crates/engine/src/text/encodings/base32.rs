//! Base32 (RFC 4648, section 6), in capitals.

use super::Decoder;
use super::payload::{Decoded, Payloads};
use crate::span::Span;
use crate::text::Transform;
use crate::text::scan::Source;
use crate::text::view_builder::ViewBuilder;

/// Characters of a payload at least.
const SHORTEST: usize = 6;

pub struct Base32;

impl Decoder for Base32 {
    fn transform(&self) -> Transform {
        Transform::Base32
    }

    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder> {
        let mut payloads = Payloads::default();
        for blob in &source.blobs {
            if let Some(decoded) = decode(source.text.as_bytes(), *blob) {
                payloads.add(source.text, *blob, &decoded, SHORTEST);
            }
        }
        payloads.finish()
    }
}

fn decode(bytes: &[u8], blob: Span) -> Option<Decoded> {
    let mut decoded = Decoded::default();
    let (mut bits, mut held, mut previous) = (0u32, 0, blob.start);
    for (at, symbol) in (blob.start..).zip(&bytes[blob.start..blob.end]) {
        bits = bits << 5 | u32::from(value(*symbol)?);
        held += 5;
        if held >= 8 {
            held -= 8;
            decoded.push((bits >> held) as u8, Span::new(previous, at + 1));
            previous = if held == 0 { at + 1 } else { at };
        }
    }
    Some(decoded)
}

/// The five bits of a symbol.
const fn value(symbol: u8) -> Option<u8> {
    match symbol {
        b'A'..=b'Z' => Some(symbol - b'A'),
        b'2'..=b'7' => Some(symbol - b'2' + 26),
        _ => None,
    }
}
