//! Digits and symbols in place of letters that look like them.
//!
//! Harmless text is full of words with digits (`mp3`, `user1`, `sha256`, `10am`), so the substitution must stand
//! inside words, the result must look like language, and one such word is not enough unless it has two of them. Where
//! many words are encoded, short words of digits (`7h15 15 17`) are read so too.

use super::Decoder;
use crate::span::Span;
use crate::text::Transform;
use crate::text::letter_pairs::{cost, level};
use crate::text::scan::Source;
use crate::text::view_builder::{Edits, ViewBuilder};

/// Mean cost of a letter pair up to which a decoded word is language.
const LEVEL: f32 = 3.4;
/// The same for a word that must be certain.
const STRONG_LEVEL: f32 = 3.0;
/// Number of encoded words from which the whole text is decoded.
const THROUGHOUT: usize = 8;
/// What words of digits alone stand for in such a text.
const OF_DIGITS: [&[u8]; 8] = [b"a", b"i", b"as", b"at", b"is", b"it", b"so", b"to"];

pub struct Leetspeak;

impl Decoder for Leetspeak {
    fn transform(&self) -> Transform {
        Transform::Leetspeak
    }

    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder> {
        if !source.is_mixed && !has_sign(source.text.as_bytes()) {
            return None;
        }
        let bytes = source.text.as_bytes();
        let read = read(bytes, false);
        if read.strength < 2 {
            return None;
        }
        let read = if read.words >= THROUGHOUT { self::read(bytes, true) } else { read };
        read.edits.apply(source.text)
    }
}

/// A text without its decoder.
#[derive(Default)]
struct Read {
    edits: Edits,
    /// Number of encoded words.
    words: usize,
    /// How many substitutions inside words speak for a decoder.
    strength: usize,
}

fn read(bytes: &[u8], throughout: bool) -> Read {
    let mut read = Read::default();
    for word in words(bytes) {
        if let Some(decoded) = decode(bytes, word, throughout) {
            read.words += 1;
            read.strength += decoded.strength;
            read.edits.append(&decoded.edits);
        }
    }
    read
}

/// Whether a sign stands between two letters.
fn has_sign(bytes: &[u8]) -> bool {
    memchr::memchr3_iter(b'@', b'$', b'!', bytes).any(|at| {
        let is_letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
        at > 0 && is_letter(at - 1) && is_letter(at + 1)
    })
}

/// Runs of letters, digits and signs, at most 24 bytes long, that no sign ends and no address or number is part of.
fn words(bytes: &[u8]) -> impl Iterator<Item = Span> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes[at..].iter().position(|byte| is_part(*byte))?;
        let length = bytes[start..].iter().take_while(|byte| is_part(**byte)).count();
        at = start + length;
        Some(Span::new(start, at))
    })
    .map(|word| {
        Span::new(
            word.start,
            word.end - bytes[word.start..word.end].iter().rev().take_while(|it| **it == b'!').count(),
        )
    })
    .filter(|word| (1..=24).contains(&word.len()))
    .filter(|word| !is_address(bytes, *word))
}

const fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'@' | b'$' | b'!')
}

/// Whether `word` is part of an e-mail address.
fn is_address(bytes: &[u8], word: Span) -> bool {
    let has_at = bytes[word.start..word.end].contains(&b'@');
    has_at
        && bytes.get(word.end) == Some(&b'.')
        && bytes.get(word.end + 1).is_some_and(u8::is_ascii_alphabetic)
}

struct Decoded {
    edits: Edits,
    /// 0 for a word that may be harmless, 1 for one with a substitution inside, 2 for one with several.
    strength: usize,
}

fn decode(bytes: &[u8], word: Span, throughout: bool) -> Option<Decoded> {
    let written = &bytes[word.start..word.end];
    let letters = written.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    if letters == written.len() || (letters * 3 < written.len() && !throughout) {
        return None;
    }
    let mut edits = Edits::default();
    let mut decoded = Vec::with_capacity(written.len());
    for (index, byte) in written.iter().enumerate() {
        let last = decoded.last().copied().unwrap_or(b' ');
        let letter = if byte.is_ascii_alphabetic() {
            *byte
        } else {
            letter(*byte, last, written.get(index + 1).copied())?
        };
        if letter != *byte {
            edits.replace_char(Span::new(word.start + index, word.start + index + 1), char::from(letter));
        }
        decoded.push(letter);
    }
    if letters == 0 {
        return OF_DIGITS.contains(&decoded.as_slice()).then_some(Decoded { edits, strength: 0 });
    }
    let mean = cost(std::str::from_utf8(&decoded).ok()?).mean();
    let inside = inside(written);
    let strength = if inside > 0 && decoded.len() >= 4 && mean <= STRONG_LEVEL { inside.min(2) } else { 0 };
    (mean <= LEVEL).then_some(Decoded { edits, strength })
}

/// How many substitutions have letters on both sides, not counting a number at either end.
fn inside(written: &[u8]) -> usize {
    let is_letter = u8::is_ascii_alphabetic;
    let first = written.iter().position(is_letter).unwrap_or(0);
    let last = written.iter().rposition(is_letter).unwrap_or(0);
    written[first..=last].iter().filter(|byte| !is_letter(byte)).count()
}

/// The letter that `sign` stands for between `last` and `next`.
fn letter(sign: u8, last: u8, next: Option<u8>) -> Option<u8> {
    Some(match sign {
        b'0' => b'o',
        b'1' | b'!' => i_or_l(last, next.filter(u8::is_ascii_alphabetic)),
        b'3' => b'e',
        b'4' | b'@' => b'a',
        b'5' | b'$' => b's',
        b'7' => b't',
        b'8' => b'b',
        _ => return None,
    })
}

/// `1` stands for both: for that which goes better with its neighbours.
fn i_or_l(last: u8, next: Option<u8>) -> u8 {
    let fit = |letter| level(last, letter) + next.map_or(0, |next| level(letter, next));
    if fit(b'l') < fit(b'i') { b'l' } else { b'i' }
}
