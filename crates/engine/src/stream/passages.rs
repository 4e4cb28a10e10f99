//! Cuts a text that arrives in parts into passages: sentences, with what stands before them.

/// Characters of a passage at least, and at most.
const SHORTEST: usize = 24;
const LONGEST: usize = 200;

/// Finds the ends of the passages of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passages {
    /// Characters since the last end.
    since: usize,
    /// True if the last character may end a sentence.
    may_end: bool,
}

impl Passages {
    /// The passages of a new text.
    pub const fn new() -> Self {
        Self { since: 0, may_end: false }
    }

    /// Returns the bytes of `text` up to the end of the passage in it; `None` if it ends before.
    pub fn next(&mut self, text: &str) -> Option<usize> {
        for (place, c) in text.char_indices() {
            self.since += 1;
            let ends = c == '\n' || matches!(c, '。' | '！' | '？') || (self.may_end && c.is_whitespace());
            self.may_end = matches!(c, '.' | '!' | '?' | '…')
                || (self.may_end && matches!(c, '"' | '\'' | ')' | '”' | '’'));
            if self.since >= LONGEST || (ends && self.since >= SHORTEST) {
                (self.since, self.may_end) = (0, false);
                return Some(place + c.len_utf8());
            }
        }
        None
    }
}
