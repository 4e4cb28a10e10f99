//! Base64 (RFC 4648, sections 4 and 5), with and without padding, in one line or many.

use super::Decoder;
use super::payload::{Decoded, Payloads};
use crate::span::Span;
use crate::text::Transform;
use crate::text::scan::Source;
use crate::text::view_builder::ViewBuilder;

/// Characters of a payload at least.
const SHORTEST: usize = 6;
/// Symbols from which a run may go on in the next line.
const LINE: usize = 16;

pub struct Base64;

impl Decoder for Base64 {
    fn transform(&self) -> Transform {
        Transform::Base64
    }

    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder> {
        let bytes = source.text.as_bytes();
        let mut payloads = Payloads::default();
        let mut done = 0;
        for blob in &source.blobs {
            if blob.start < done {
                continue;
            }
            let lines = lines(bytes, *blob, done);
            done = lines.last().map_or(blob.end, |line| line.end);
            add(source.text, &lines, &mut payloads);
        }
        payloads.finish()
    }
}

/// Adds the payload of all `lines` together; if there is none, that of each; if there is none, that of each part of a
/// line that a separator sets apart, as in a path.
fn add(text: &str, lines: &[Span], payloads: &mut Payloads) {
    if decode_into(text, lines, payloads) {
        return;
    }
    for line in lines {
        if lines.len() > 1 && decode_into(text, &[*line], payloads) {
            continue;
        }
        let mut start = line.start;
        for part in line.of(text).split_inclusive(['/', '+', '-', '_', '=']) {
            let whole = part.trim_end_matches(['/', '+', '-', '_', '=']);
            let span = Span::new(start, start + whole.len());
            if whole.len() >= 8 && span != *line {
                decode_into(text, &[span], payloads);
            }
            start += part.len();
        }
    }
}

fn decode_into(text: &str, lines: &[Span], payloads: &mut Payloads) -> bool {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return false;
    };
    let decoded = decode(text.as_bytes(), lines);
    payloads.add(text, Span::new(first.start, last.end), &decoded, SHORTEST)
}

/// The run of symbols around `blob` with its continuation lines.
fn lines(bytes: &[u8], blob: Span, floor: usize) -> Vec<Span> {
    let back = bytes[floor..blob.start].iter().rev().take_while(|byte| value(**byte).is_some()).count();
    let mut lines = vec![Span::new(blob.start - back, run_end(bytes, blob.end))];
    while let Some(line) = lines.last().and_then(|last| next_line(bytes, *last)) {
        lines.push(line);
    }
    lines
}

/// The run of symbols in the line after `line`, if both are long enough to be lines of one encoding.
fn next_line(bytes: &[u8], line: Span) -> Option<Span> {
    if line.len() < LINE || bytes[line.end - 1] == b'=' {
        return None;
    }
    let gap = bytes[line.end..].iter().take(8).take_while(|byte| byte.is_ascii_whitespace()).count();
    if !bytes[line.end..line.end + gap].contains(&b'\n') {
        return None;
    }
    let start = line.end + gap;
    let end = run_end(bytes, start);
    let is_whole = bytes.get(end).is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b' ');
    (end > start && end - start <= line.len() && is_whole).then_some(Span::new(start, end))
}

/// The end of the symbols from `start` on, padding included.
fn run_end(bytes: &[u8], start: usize) -> usize {
    let end = start + bytes[start..].iter().take_while(|byte| value(**byte).is_some()).count();
    end + bytes[end..].iter().take(2).take_while(|byte| **byte == b'=').count()
}

fn decode(bytes: &[u8], lines: &[Span]) -> Decoded {
    let mut decoded = Decoded::default();
    let (mut bits, mut held, mut previous) = (0u32, 0, usize::MAX);
    let symbols = lines.iter().flat_map(|line| line.start..line.end);
    for (at, value) in symbols.filter_map(|at| Some((at, value(bytes[at])?))) {
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            decoded.push((bits >> held) as u8, Span::new(previous.min(at), at + 1));
        }
        previous = if held == 0 { usize::MAX } else { at };
    }
    decoded
}

/// The six bits of a symbol.
const fn value(symbol: u8) -> Option<u8> {
    match symbol {
        b'A'..=b'Z' => Some(symbol - b'A'),
        b'a'..=b'z' => Some(symbol - b'a' + 26),
        b'0'..=b'9' => Some(symbol - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}
