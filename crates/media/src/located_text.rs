//! Words with their places, as one text.

use std::ops::Range;

use serde::{Deserialize, Serialize};

mod areas;
mod moments;
mod readings;

/// A rectangle of pixels of the upright picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rect {
    /// Pixels from the left.
    pub x: u32,
    /// Pixels from the top.
    pub y: u32,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

impl Rect {
    /// The smallest rectangle that holds both.
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

    /// The first column right of it.
    pub const fn right(self) -> u32 {
        self.x.saturating_add(self.width)
    }

    /// The first row below it.
    pub const fn bottom(self) -> u32 {
        self.y.saturating_add(self.height)
    }
}

/// A stretch of a recording, in seconds from its beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeSpan {
    /// From here.
    pub start: f32,
    /// To here.
    pub end: f32,
}

/// A word where it was read or heard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Word<P> {
    /// The word.
    pub text: String,
    /// Where.
    pub place: P,
}

/// A text, and where its words stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocatedText<P> {
    /// The text.
    pub text: String,
    /// Bytes of the text and their place, in order.
    words: Vec<(Range<usize>, P)>,
    /// Other ways to read it.
    pub readings: Vec<AlternativeReading>,
}

/// Another way to read a text, to look for personal data: what the recogniser cut apart is joined, what it is likely
/// to have taken for something else is put right.
#[derive(Clone, Debug, PartialEq)]
pub struct AlternativeReading {
    /// The other text.
    pub text: String,
    /// For each of its bytes the bytes of the passage where it came from.
    origins: Vec<Range<usize>>,
}

impl AlternativeReading {
    /// Where in the passage something of this text came from.
    pub fn origin(&self, range: Range<usize>) -> Range<usize> {
        let mut origins = self.origins[range].iter().cloned();
        let first = origins.next().unwrap_or_default();
        first.start..origins.next_back().unwrap_or(first).end
    }
}

impl<P: Copy> LocatedText<P> {
    /// Lines of words: blanks between words, a line break between lines.
    pub fn of_lines<'w>(lines: impl IntoIterator<Item = &'w [Word<P>]>) -> Self
    where
        P: 'w,
    {
        let mut passage = Self { text: String::new(), words: Vec::new(), readings: Vec::new() };
        for line in lines.into_iter().filter(|line| !line.is_empty()) {
            passage.separate("\n");
            for (at, word) in line.iter().enumerate() {
                passage.separate(if at == 0 { "" } else { " " });
                passage.push(&word.text, word.place);
            }
        }
        passage
    }

    fn separate(&mut self, with: &str) {
        if !self.text.is_empty() {
            self.text.push_str(with);
        }
    }

    fn push(&mut self, word: &str, place: P) {
        let start = self.text.len();
        self.text.push_str(word);
        self.words.push((start..self.text.len(), place));
    }

    /// Every word with its place.
    pub fn words(&self) -> impl Iterator<Item = (&str, P)> {
        self.words.iter().map(|(word, place)| (&self.text[word.clone()], *place))
    }

    /// Which words share a byte with `range`.
    fn touched(&self, range: &Range<usize>) -> Range<usize> {
        let first = self.words.partition_point(|(word, _)| word.end <= range.start);
        let end = self.words.partition_point(|(word, _)| word.start < range.end);
        first..end.max(first)
    }
}
