//! Evaluates, masks and restores a text while it arrives.
//!
//! The output of a stream depends on its text alone, never on how the text is cut into chunks: work is done at steps
//! whose places the text decides (`steps`). The cost is linear, because a step reads a bounded tail of the text again.

mod decide;
mod json;
mod mask;
mod overlong;
mod passages;
mod restore;
mod steps;
mod then;

pub use decide::{Decide, DecideStream, Passage};
pub use mask::{MaskOptions, MaskStream};
pub use restore::RestoreStream;
pub use then::Then;

use crate::pii::{EntityType, mask::Token};

/// Longest text that is held back, in characters, whatever may still follow.
pub const LONGEST_HOLD: usize = 1024;

/// A text that is processed while it arrives.
pub trait Incremental {
    /// Takes the next part of the text, and returns what may be passed on now.
    fn feed(&mut self, text: &str) -> Events;

    /// Returns the number of characters that were fed and are held back.
    fn holdback(&self) -> usize;

    /// Ends the text, and returns the rest.
    fn finish(self) -> Events;
}

/// The output of a step, and facts about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Events {
    /// The next part of the output.
    pub text: String,
    /// The values of token markers in `text`, to be stored sealed.
    pub tokens: Vec<Token>,
    /// PII types that were masked in `text`, in order.
    pub masked: Vec<EntityType>,
    /// Values restored in `text`.
    pub restored: usize,
    /// Reason why the stream ends here; `None` while it goes on. Nothing is emitted after it.
    pub stop: Option<Stop>,
}

/// Reason why a stream ends before its text does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An evaluation blocked it.
    Blocked,
    /// The text is longer than the stream may be.
    TooLong,
}

impl Events {
    /// Appends what a stream passed on next.
    pub fn append(&mut self, next: Self) {
        self.text.push_str(&next.text);
        self.tokens.extend(next.tokens);
        self.masked.extend(next.masked);
        self.restored += next.restored;
        self.stop = self.stop.or(next.stop);
    }
}

#[cfg(test)]
mod tests;
