//! Text whose words have positions in an image or in audio.

use std::ops::Range;

use serde::{Deserialize, Serialize};

mod areas;
mod readings;
mod time_spans;

/// A rectangle of pixels in the upright image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rect {
    /// Distance from the left edge in pixels.
    pub x: u32,
    /// Distance from the top edge in pixels.
    pub y: u32,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl Rect {
    /// Returns the smallest rectangle that contains both.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Self {
            x,
            y,
            width: self.right().max(other.right()) - x,
            height: self.bottom().max(other.bottom()) - y,
        }
    }

    /// Returns the first column to the right of the rectangle.
    pub const fn right(self) -> u32 {
        self.x.saturating_add(self.width)
    }

    /// Returns the first line of pixels below the rectangle.
    pub const fn bottom(self) -> u32 {
        self.y.saturating_add(self.height)
    }
}

/// A span of time in audio, in seconds from the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeSpan {
    /// Start.
    pub start: f32,
    /// End.
    pub end: f32,
}

/// A word with its position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Word<P> {
    /// Text of the word.
    pub text: String,
    /// Position.
    pub position: P,
}

/// A text with the positions of its words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocatedText<P> {
    /// The whole text.
    pub text: String,
    /// Byte range and position of each word, in order.
    words: Vec<(Range<usize>, P)>,
    /// Alternative readings.
    pub readings: Vec<AlternativeReading>,
}

/// A corrected version of a text that is used to find personal data. It joins words that recognition split and replaces
/// characters that recognition often confuses.
#[derive(Clone, Debug, PartialEq)]
pub struct AlternativeReading {
    /// The corrected text.
    pub text: String,
    /// For each byte, the byte range of the original text that it comes from.
    origins: Vec<Range<usize>>,
}

impl AlternativeReading {
    /// Returns the byte range of the original text that `range` comes from.
    pub fn origin(&self, range: Range<usize>) -> Range<usize> {
        let mut origins = self.origins[range].iter().cloned();
        let first = origins.next().unwrap_or_default();
        first.start..origins.next_back().unwrap_or(first).end
    }
}

impl<P: Copy> LocatedText<P> {
    /// Joins words with spaces and lines with line breaks.
    pub fn of_lines<'w>(lines: impl IntoIterator<Item = &'w [Word<P>]>) -> Self
    where
        P: 'w,
    {
        let mut located = Self { text: String::new(), words: Vec::new(), readings: Vec::new() };
        for line in lines.into_iter().filter(|line| !line.is_empty()) {
            located.separate("\n");
            for (at, word) in line.iter().enumerate() {
                located.separate(if at == 0 { "" } else { " " });
                located.push(&word.text, word.position);
            }
        }
        located
    }

    fn separate(&mut self, separator: &str) {
        if !self.text.is_empty() {
            self.text.push_str(separator);
        }
    }

    fn push(&mut self, word: &str, position: P) {
        let start = self.text.len();
        self.text.push_str(word);
        self.words.push((start..self.text.len(), position));
    }

    /// Iterates over the words and their positions.
    pub fn words(&self) -> impl Iterator<Item = (&str, P)> {
        self.words.iter().map(|(word, position)| (&self.text[word.clone()], *position))
    }

    /// Returns the indices of the words that overlap `range`.
    fn overlapping_words(&self, range: &Range<usize>) -> Range<usize> {
        let first = self.words.partition_point(|(word, _)| word.end <= range.start);
        let end = self.words.partition_point(|(word, _)| word.start < range.end);
        first..end.max(first)
    }
}
