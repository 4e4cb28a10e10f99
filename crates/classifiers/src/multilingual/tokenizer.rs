//! Cuts a text into pieces of a vocabulary so that the sum of their scores is highest (T. Kudo, "Subword regularization",
//! <https://arxiv.org/abs/1804.10959>, without its sampling).

use std::ops::Range;

use safetensors::Dtype;

use super::{
    config::{Config, FIRST_PIECE, WindowRules},
    normalize::{Normalized, normalized},
    trie::Trie,
    weights::{WeightsError, WeightsFile},
};

/// The id of characters that no piece covers.
pub const UNKNOWN: u32 = 3;
/// The distance of an unknown character's score from the lowest one.
const UNKNOWN_PENALTY: f64 = 10.0;
/// Stands for a space, and begins every word.
const SPACE: char = '▁';

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its place in the vocabulary.
    pub id: u32,
    /// Its first byte in the text.
    pub start: usize,
    /// The byte behind its last.
    pub end: usize,
    /// True where a sentence or a line ends behind it.
    pub ends_sentence: bool,
}

/// A vocabulary with the score of each piece.
#[derive(Debug)]
pub struct Tokenizer {
    pieces: Trie,
    /// By id.
    scores: Vec<f32>,
    unknown: f64,
    stops: Vec<char>,
    wide_stops: Vec<char>,
}

impl Tokenizer {
    /// The tokenizer of a weights file.
    pub fn new(file: &WeightsFile<'_>, config: &Config) -> Result<Self, WeightsError> {
        let count = config.shape.pieces;
        let text = file.bytes("pieces.text", Dtype::U8, &[file.text("pieces.text")?.len()])?;
        let ends = file.unsigned("pieces.ends", &[count])?;
        let scores = file.floats("pieces.scores", &[count])?;
        let pieces = pieces(text, &ends)?;
        let pieces = Trie::new(pieces).map_err(|piece| invalid(piece as usize, "occurs a second time"))?;
        let lowest = scores.iter().copied().fold(f32::INFINITY, f32::min);
        let WindowRules { stops, wide_stops, .. } = &config.windows;
        Ok(Self {
            pieces,
            unknown: f64::from(lowest) - UNKNOWN_PENALTY,
            scores,
            stops: stops.chars().collect(),
            wide_stops: wide_stops.chars().collect(),
        })
    }

    /// The pieces of a text, in order.
    pub fn encode(&self, text: &str) -> Vec<Piece> {
        let mut found = Vec::with_capacity(text.len() / 4);
        let mut word = Word::default();
        normalized(text, |Normalized { character, source }| {
            if matches!(character, ' ' | SPACE) {
                self.cut(text, &mut word, &mut found);
                word.push(SPACE, source);
            } else {
                if word.bytes.is_empty() {
                    word.push(SPACE, source.start..source.start);
                }
                word.push(character, source);
            }
        });
        self.cut(text, &mut word, &mut found);
        found
    }

    /// Cuts a word into its pieces, adds them to `found`, and empties it.
    fn cut(&self, text: &str, word: &mut Word, found: &mut Vec<Piece>) {
        self.search(word);
        let from = found.len();
        let mut end = word.bytes.len();
        while end > 0 {
            let Step { start, id, .. } = word.steps[end];
            let range = word.sources[start].start..word.sources[end - 1].end;
            match found[from..].last_mut() {
                // Neighboring unknown pieces are one.
                Some(next) if id == UNKNOWN && next.id == UNKNOWN => next.start = range.start,
                _ => found.push(self.piece(text, id, range)),
            }
            end = start;
        }
        found[from..].reverse();
        word.clear();
    }

    /// Finds the last piece of the best way to each place of the word.
    fn search(&self, word: &mut Word) {
        let Word { bytes, steps, .. } = word;
        steps.clear();
        steps.resize(bytes.len() + 1, Step { score: f64::NEG_INFINITY, start: 0, id: UNKNOWN });
        steps[0].score = 0.0;
        let mut start = 0;
        while start < bytes.len() {
            let before = steps[start].score;
            let length = length_of_character(bytes[start]);
            let mut offer = |length: usize, id: u32, score: f64| {
                let step = &mut steps[start + length];
                if before + score > step.score {
                    *step = Step { score: before + score, start, id };
                }
            };
            let mut is_known = false;
            self.pieces.prefixes(&bytes[start..], |found, id| {
                is_known |= found == length;
                offer(found, id, f64::from(self.scores[id as usize]));
            });
            if !is_known {
                offer(length, UNKNOWN, self.unknown);
            }
            start += length;
        }
    }

    fn piece(&self, text: &str, id: u32, range: Range<usize>) -> Piece {
        let ends_sentence = self.ends_sentence(&text[..range.end], &text[range.end..]);
        Piece { id, start: range.start, end: range.end, ends_sentence }
    }

    fn ends_sentence(&self, before: &str, after: &str) -> bool {
        let (Some(last), next) = (before.chars().next_back(), after.chars().next()) else {
            return after.starts_with('\n');
        };
        next == Some('\n')
            || self.wide_stops.contains(&last)
            || (self.stops.contains(&last) && next.is_none_or(is_blank))
    }
}

/// The bytes of each piece but the marks, which match no text.
fn pieces<'t>(text: &'t [u8], ends: &[u32]) -> Result<Vec<(&'t [u8], u32)>, WeightsError> {
    let mut found = Vec::with_capacity(ends.len());
    let mut start = 0;
    for (piece, end) in ends.iter().map(|end| *end as usize).enumerate() {
        let bytes = text.get(start..end).ok_or_else(|| invalid(piece, "ends outside of pieces.text"))?;
        start = end;
        if piece >= FIRST_PIECE {
            if bytes.is_empty() {
                return Err(invalid(piece, "is empty"));
            }
            str::from_utf8(bytes).map_err(|_| invalid(piece, "is not UTF-8"))?;
            found.push((bytes, piece as u32));
        }
    }
    Ok(found)
}

fn invalid(piece: usize, reason: &'static str) -> WeightsError {
    WeightsError::Piece { piece, reason }
}

/// White space, and the separators of ASCII, which the trainer counts as blanks here.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}')
}

/// Bytes of the character that begins with this one (RFC 3629, section 3).
const fn length_of_character(first: u8) -> usize {
    match first {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
    }
}

/// A word while it is cut, and buffers that are kept from one to the next.
#[derive(Default)]
struct Word {
    bytes: Vec<u8>,
    /// For each byte, the range of the text that its character comes from.
    sources: Vec<Range<usize>>,
    steps: Vec<Step>,
}

/// The best way to a place of a word: its score, and where and which its last piece is.
#[derive(Clone, Copy)]
struct Step {
    score: f64,
    start: usize,
    id: u32,
}

impl Word {
    fn push(&mut self, character: char, source: Range<usize>) {
        self.bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        self.sources.resize(self.bytes.len(), source);
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.sources.clear();
    }
}
