//! Places at which a stream works: after a blank, or after a number of characters without one.

/// Characters from one step to the next at least.
const SHORTEST: usize = 32;
/// Characters after which a text without blanks makes a step.
const LONGEST: usize = 40;

/// Finds the steps of a text that arrives in chunks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    /// Characters since the last step.
    since: usize,
}

impl Steps {
    /// The steps of a new text.
    pub const fn new() -> Self {
        Self { since: 0 }
    }

    /// Returns the bytes of `text` up to the end of the step in it; `None` if it ends before.
    pub fn next(&mut self, text: &str) -> Option<usize> {
        for (place, c) in text.char_indices() {
            self.since += 1;
            if self.since >= LONGEST || (self.since >= SHORTEST && c.is_whitespace()) {
                self.since = 0;
                return Some(place + c.len_utf8());
            }
        }
        None
    }
}
