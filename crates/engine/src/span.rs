//! Places in a text.

use serde::{Deserialize, Serialize};

use crate::evidence::Origin;

/// A half-open range of bytes, on character boundaries of the text it points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span `start..end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Bytes covered.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether nothing is covered.
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Whether the two share a byte.
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The covered part of `text`.
    pub fn of(self, text: &str) -> &str {
        &text[self.start..self.end]
    }
}

/// A span as clients see it: code points of the original text, half-open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PublicSpan {
    /// First code point.
    pub start: usize,
    /// One past the last code point.
    pub end: usize,
    /// Index of the document the span points into; absent for the prompt or response itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub document: Option<usize>,
    /// Index of the image whose text the span points into; absent elsewhere.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub image: Option<usize>,
    /// Whether the span points into the transcript; absent elsewhere.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub transcript: bool,
}

/// Converts byte offsets of one text to code points, cheapest when asked in ascending order.
pub struct CodePoints<'t> {
    text: &'t str,
    byte: usize,
    point: usize,
}

impl<'t> CodePoints<'t> {
    /// A converter for `text`.
    pub const fn new(text: &'t str) -> Self {
        Self { text, byte: 0, point: 0 }
    }

    /// The number of code points before byte `offset`.
    pub fn at(&mut self, offset: usize) -> usize {
        if offset < self.byte {
            (self.byte, self.point) = (0, 0);
        }
        self.point += self.text[self.byte..offset].chars().count();
        self.byte = offset;
        self.point
    }

    /// `span` in code points of a text from `origin`.
    pub fn span(&mut self, span: Span, origin: Origin) -> PublicSpan {
        let start = self.at(span.start);
        let mut public =
            PublicSpan { start, end: self.at(span.end), document: None, image: None, transcript: false };
        match origin {
            Origin::Document(index) => public.document = Some(index),
            Origin::Image(index) => public.image = Some(index),
            Origin::Speech => public.transcript = true,
            Origin::Subject | Origin::Earlier | Origin::Conversation => {}
        }
        public
    }
}
