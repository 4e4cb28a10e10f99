//! One pass over a text that tells which encodings it may contain.
//!
//! An encoding that is not used must cost almost nothing. One pass over the runs of ASCII letters and digits, at about two
//! nanoseconds a byte, collects the hints for all decoders; the other decoders search for one rare byte.

use super::letter_pairs::{Pairs, Stretches};
use crate::span::Span;

const UPPER: u8 = 1;
const LOWER: u8 = 2;
/// Digits that stand for letters in leetspeak.
const LEET: u8 = 4;
/// The other digits.
const DIGIT: u8 = 8;
/// Letters other than hexadecimal digits.
const BEYOND_HEX: u8 = 16;
/// Characters other than `0` and `1`.
const BEYOND_BITS: u8 = 32;
const LETTER: u8 = UPPER | LOWER;
const DIGITS: u8 = LEET | DIGIT;

/// Class of each byte; 0 for bytes other than ASCII letters and digits.
static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let character = byte as u8;
        classes[byte] = match character {
            b'0' | b'1' => LEET,
            b'3' | b'4' | b'5' | b'7' | b'8' => LEET | BEYOND_BITS,
            b'2' | b'6' | b'9' => DIGIT | BEYOND_BITS,
            b'A'..=b'F' => UPPER | BEYOND_BITS,
            b'a'..=b'f' => LOWER | BEYOND_BITS,
            b'G'..=b'Z' => UPPER | BEYOND_HEX | BEYOND_BITS,
            b'g'..=b'z' => LOWER | BEYOND_HEX | BEYOND_BITS,
            _ => 0,
        };
        byte += 1;
    }
    classes
}

/// Maximum length of a run in bytes, so that the sums of its pairs do not overflow.
const LONGEST: usize = 4096;

/// Letter-pair level above which a word is not natural language.
const STRANGE_LEVEL: i32 = 3;
/// Levels by which a stretch must stand out.
const STRANGE_MARGIN: i32 = 10;
/// Levels by which a stretch must read better backwards. English never reaches this in one or two words.
const BACKWARD_MARGIN: i32 = 14;

/// A text to decode, with the hints of one pass.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "hints are independent of each other")]
pub(super) struct Source<'t> {
    pub text: &'t str,
    pub is_ascii: bool,
    /// Runs of letters and digits that are no words: blobs, hashes, identifiers.
    pub blobs: Vec<Span>,
    /// Words whose letters follow each other as in no language.
    pub strange: Vec<Span>,
    /// Words that read better from their end.
    pub backward: Vec<Span>,
    /// Whether five single letters stand in a row.
    pub is_spaced: bool,
    /// Whether digits stand among letters as they do in leetspeak.
    pub is_mixed: bool,
    /// Whether six pairs of hexadecimal digits stand in a row.
    pub has_pairs: bool,
    /// Whether eight short numbers stand in a row.
    pub has_numbers: bool,
}

impl<'t> Source<'t> {
    /// Looks at `text`.
    pub fn new(text: &'t str) -> Self {
        let mut scan = Scan::new();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if CLASSES[bytes[at] as usize] == 0 {
                at += 1;
            } else {
                at = scan.run(bytes, at);
            }
        }
        scan.into_source(text)
    }
}

/// A run of letters and digits.
struct Run {
    span: Span,
    /// Classes of any of its bytes.
    any: u8,
    uppers: usize,
    forward: i32,
    backward: i32,
}

struct Scan {
    blobs: Vec<Span>,
    strange: Stretches,
    backward: Stretches,
    singles: Streak<5>,
    pairs: Streak<6>,
    numbers: Streak<8>,
    is_mixed: bool,
}

impl Scan {
    const fn new() -> Self {
        Self {
            blobs: Vec::new(),
            strange: Stretches::new(STRANGE_MARGIN),
            backward: Stretches::new(BACKWARD_MARGIN),
            singles: Streak::new(),
            pairs: Streak::new(),
            numbers: Streak::new(),
            is_mixed: false,
        }
    }

    /// Reads the run that begins at `start`, and answers where it ends.
    fn run(&mut self, bytes: &[u8], start: usize) -> usize {
        let (mut any, mut uppers, mut pairs) = (0, 0, Pairs::new());
        let mut length = 0;
        for byte in bytes[start..].iter().take(LONGEST) {
            let class = CLASSES[*byte as usize];
            if class == 0 {
                break;
            }
            any |= class;
            uppers += usize::from(class & UPPER);
            pairs.read(*byte);
            length += 1;
        }
        let (forward, backward) = pairs.end();
        let span = Span::new(start, start + length);
        let run = Run { span, any, uppers, forward: forward as i32, backward: backward as i32 };
        if any & DIGITS == 0 && (3..8).contains(&length) {
            self.forget_streaks();
        } else {
            self.judge(&run);
        }
        if any & DIGITS == 0 && run.is_word(bytes) {
            let pairs = length as i32 + 1;
            if length > 2 {
                // Shorter ones are names of variables.
                self.strange.add(run.forward - STRANGE_LEVEL * pairs, span);
            }
            self.backward.add(run.forward - run.backward - pairs / 8, span);
        }
        span.end
    }

    /// What an ordinary word means for streaks.
    const fn forget_streaks(&mut self) {
        self.singles.count(false);
        self.pairs.count(false);
        self.numbers.count(false);
    }

    fn judge(&mut self, run: &Run) {
        let length = run.span.len();
        self.singles.count(length == 1);
        self.pairs.count(run.is_hex_pair());
        self.numbers.count(length <= 3 && run.any & LETTER == 0);
        self.is_mixed |= length >= 3 && run.any & LETTER != 0 && run.any & DIGITS == LEET;
        if run.is_blob() {
            self.blobs.push(run.span);
        }
    }

    fn into_source(mut self, text: &str) -> Source<'_> {
        self.strange.end();
        self.backward.end();
        Source {
            text,
            is_ascii: text.is_ascii(),
            blobs: self.blobs,
            strange: self.strange.found,
            backward: self.backward.found,
            is_spaced: self.singles.reached,
            is_mixed: self.is_mixed,
            has_pairs: self.pairs.reached,
            has_numbers: self.numbers.reached,
        }
    }
}

impl Run {
    /// Letters in a case that words have (none, the first or all of them large), with no letter outside ASCII beside
    /// them, which would make them part of a word.
    fn is_word(&self, bytes: &[u8]) -> bool {
        let length = self.span.len();
        let before = self.span.start.checked_sub(1).map_or(b' ', |at| bytes[at]);
        let after = bytes.get(self.span.end).copied().unwrap_or(b' ');
        length < 64 && (self.uppers <= 1 || self.uppers == length) && (before | after).is_ascii()
    }

    const fn is_blob(&self) -> bool {
        let length = self.span.len();
        let mixed = self.any & DIGITS != 0 && self.any & LETTER != 0;
        let camel = self.uppers >= 2 && self.any & LOWER != 0;
        length >= 20 || (length >= 8 && (mixed || camel)) || (length >= 12 && self.any & LETTER == 0)
    }

    /// `6f` or `0x6f`.
    const fn is_hex_pair(&self) -> bool {
        match self.span.len() {
            2 => self.any & BEYOND_HEX == 0,
            4 => self.any & DIGITS != 0 && self.any & BEYOND_HEX != 0,
            8 => self.any & BEYOND_BITS == 0,
            _ => false,
        }
    }
}

/// Counts how often something happened in a row, up to `N`.
struct Streak<const N: usize> {
    length: usize,
    reached: bool,
}

impl<const N: usize> Streak<N> {
    const fn new() -> Self {
        Self { length: 0, reached: false }
    }

    #[inline]
    const fn count(&mut self, happened: bool) {
        self.length = if happened { self.length + 1 } else { 0 };
        self.reached |= self.length >= N;
    }
}
