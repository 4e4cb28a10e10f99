//! Restores token markers in a text that arrives in parts.

use std::fmt;

use super::{Events, Incremental};
use crate::{pii::mask, text::char_boundary};

/// Longest marker that is restored, in bytes, with what a model put between its characters.
const MARKER: usize = 256;
/// Bytes of emitted text that show whether a word begins behind them.
const CONTEXT: usize = 32;

/// Replaces the token markers that `lookup` knows by their values, and holds back only what may be the beginning of one.
pub struct RestoreStream<L> {
    lookup: L,
    // Context, then what is held back.
    tail: String,
    released: usize,
    escapes: bool,
}

impl<L> fmt::Debug for RestoreStream<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RestoreStream").finish_non_exhaustive()
    }
}

impl<L: Fn(&str) -> Option<String>> RestoreStream<L> {
    /// Creates a stream. `lookup` returns the value of an identifier.
    pub const fn new(lookup: L) -> Self {
        Self { lookup, tail: String::new(), released: 0, escapes: false }
    }

    /// Creates a stream of JSON in which markers stand inside strings: values are escaped (RFC 8259, section 7).
    pub const fn in_json(lookup: L) -> Self {
        Self { lookup, tail: String::new(), released: 0, escapes: true }
    }

    /// Emits everything before `hold`, with markers restored.
    fn emit(&mut self, hold: usize, events: &mut Events) {
        let mut at = self.released;
        let markers: Vec<_> =
            mask::tokens_in(&self.tail).into_iter().filter(|(span, _)| span.len() <= MARKER).collect();
        let cut = markers.iter().map(|(span, _)| *span).find(|span| span.start < hold && hold < span.end);
        let hold = cut.map_or(hold, |span| span.start.max(at));
        for (span, id) in markers {
            let is_due = span.start >= at && span.end <= hold;
            let Some(value) = is_due.then(|| (self.lookup)(&id)).flatten() else { continue };
            events.text.push_str(&self.tail[at..span.start]);
            let escaped = self.escapes.then(|| mask::escaped(&value));
            events.text.push_str(escaped.as_deref().unwrap_or(&value));
            events.restored += 1;
            at = span.end;
        }
        events.text.push_str(&self.tail[at..hold]);
        let cut = char_boundary::floor(&self.tail, hold.saturating_sub(CONTEXT));
        self.tail.drain(..cut);
        self.released = hold - cut;
    }
}

impl<L: Fn(&str) -> Option<String>> Incremental for RestoreStream<L> {
    fn feed(&mut self, text: &str) -> Events {
        let mut events = Events::default();
        self.tail.push_str(text);
        let from = char_boundary::ceil(&self.tail, self.tail.len().saturating_sub(MARKER + CONTEXT));
        let hold = mask::open_token(&self.tail, from.max(self.released));
        self.emit(hold, &mut events);
        events
    }

    fn holdback(&self) -> usize {
        self.tail[self.released..].chars().count()
    }

    fn finish(mut self) -> Events {
        let mut events = Events::default();
        self.emit(self.tail.len(), &mut events);
        events
    }
}
