//! Byte spans of a text.

/// A half-open range of bytes, on character boundaries of the text it points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Creates the span `start..end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns the length in bytes.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns whether the span is empty.
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Returns whether the two share a byte.
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Returns the smallest span that contains both.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// Returns the part of `text` at this span.
    pub fn of(self, text: &str) -> &str {
        &text[self.start..self.end]
    }
}

/// Converts byte offsets of one text to code points. Ascending offsets are cheapest.
pub struct CodePoints<'t> {
    text: &'t str,
    byte: usize,
    point: usize,
}

impl<'t> CodePoints<'t> {
    /// Creates a converter for `text`.
    pub const fn new(text: &'t str) -> Self {
        Self { text, byte: 0, point: 0 }
    }

    /// Returns the number of code points before byte `offset`.
    pub fn at(&mut self, offset: usize) -> usize {
        if offset < self.byte {
            (self.byte, self.point) = (0, 0);
        }
        self.point += self.text[self.byte..offset].chars().count();
        self.byte = offset;
        self.point
    }
}
