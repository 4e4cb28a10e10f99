//! Places in a text.

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

/// Converts byte offsets of one text to code points. Ascending offsets are cheapest.
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
}
