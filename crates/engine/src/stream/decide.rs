//! Evaluates a text that arrives in parts, and emits what was evaluated.

use super::{Events, Incremental, Stop, passages::Passages};
use crate::text::char_boundary;

/// Bytes before a passage that are evaluated with it.
const OVERLAP: usize = 256;

/// A part of a text to evaluate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage<'t> {
    /// The text before the passage, and the passage.
    pub text: &'t str,
    /// First byte of the passage in `text`. The text before it was emitted.
    pub start: usize,
}

/// Evaluates the passages of a text, and the whole.
pub trait Decide {
    /// Returns whether the passage may be emitted.
    fn passes(&mut self, passage: Passage<'_>) -> bool;

    /// Returns whether the whole text would have been let through. It was emitted, but for its last passage.
    fn passes_whole(&mut self, text: &str) -> bool;
}

/// Holds each passage back until it was evaluated with what stands before it, and ends the stream at the first that is
/// blocked. The whole text is evaluated at the end.
#[derive(Debug)]
pub struct DecideStream<D> {
    decide: D,
    longest: usize,
    passages: Passages,
    whole: String,
    released: usize,
    stop: Option<Stop>,
}

impl<D: Decide> DecideStream<D> {
    /// Creates a stream of at most `longest` bytes.
    pub const fn new(decide: D, longest: usize) -> Self {
        Self { decide, longest, passages: Passages::new(), whole: String::new(), released: 0, stop: None }
    }

    /// Evaluates what is held back, and emits it.
    fn evaluate(&mut self, events: &mut Events) {
        let passage = &self.whole[context(&self.whole, self.released)..];
        let start = passage.len() - (self.whole.len() - self.released);
        if self.decide.passes(Passage { text: passage, start }) {
            events.text.push_str(&self.whole[self.released..]);
            self.released = self.whole.len();
        } else {
            self.stop = Some(Stop::Blocked);
        }
    }
}

/// Returns where the context of a passage begins that begins at `start`: at a word, if one begins in reach.
fn context(whole: &str, start: usize) -> usize {
    let from = char_boundary::ceil(whole, start.saturating_sub(OVERLAP));
    let blank = whole[from..start].find(char::is_whitespace).filter(|_| from > 0);
    blank.map_or(from, |blank| from + blank)
}

impl<D: Decide> Incremental for DecideStream<D> {
    fn feed(&mut self, text: &str) -> Events {
        let mut events = Events::default();
        let mut rest = text;
        while self.stop.is_none()
            && let Some(length) = self.passages.next(rest)
        {
            self.whole.push_str(&rest[..length]);
            rest = &rest[length..];
            if self.whole.len() > self.longest {
                self.stop = Some(Stop::TooLong);
            } else {
                self.evaluate(&mut events);
            }
        }
        if self.stop.is_none() {
            self.whole.push_str(rest);
        }
        events.stop = self.stop;
        events
    }

    fn holdback(&self) -> usize {
        self.whole[self.released..].chars().count()
    }

    fn finish(mut self) -> Events {
        let mut events = Events::default();
        if self.stop.is_none() && self.whole.len() > self.longest {
            self.stop = Some(Stop::TooLong);
        }
        if self.stop.is_none() && self.released < self.whole.len() {
            self.evaluate(&mut events);
        }
        let passes = self.decide.passes_whole(&self.whole);
        if self.stop.is_none() && !passes {
            self.stop = Some(Stop::Blocked);
            events.text.clear();
        }
        events.stop = self.stop;
        events
    }
}
