//! Masks personal data in a text that arrives in parts.

use std::{fmt, sync::Arc};

use super::{
    Events, Incremental,
    json::{JsonPlace, Segment},
    overlong,
    steps::Steps,
};
use crate::{
    deadline::Deadline,
    pii::{
        self, CustomTypes, Entity, find_all,
        mask::{MaskKeys, Masked, Place, Strategies, full, places},
        unsettled,
    },
    span::Span,
    text::{Text, char_boundary},
};

/// Bytes of text before what is held back that each step reads again.
const CONTEXT: usize = 320;
/// Bytes by which the context grows before it is cut, and before the place of the cut in which a line or word may begin.
const SLACK: usize = 128;

/// Choice of the entities that a stream masks, and the strategy.
pub struct MaskOptions {
    /// Strategies.
    pub strategies: Strategies,
    /// Keys of the organization.
    pub keys: MaskKeys,
    /// Returns true for an entity to mask.
    pub selects: Box<dyn Fn(&Entity) -> bool + Send + Sync>,
    /// Custom types of the policy.
    pub custom: Arc<CustomTypes>,
}

impl fmt::Debug for MaskOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MaskOptions").field("strategies", &self.strategies).finish_non_exhaustive()
    }
}

/// Replaces personal data by a strategy, and emits only text whose replacement can no longer change.
///
/// A text that is a JSON document stays one: only the insides of strings and whole scalars are masked, keys never.
pub struct MaskStream {
    options: MaskOptions,
    steps: Steps,
    // Context, then what is held back.
    tail: String,
    // The end of the context.
    released: usize,
    // The beginning of an entity whose first part was masked, while it goes on.
    open: Option<usize>,
    // At `released`.
    json: JsonPlace,
}

impl fmt::Debug for MaskStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MaskStream").field("holdback", &self.holdback()).finish_non_exhaustive()
    }
}

impl Incremental for MaskStream {
    fn feed(&mut self, text: &str) -> Events {
        let mut events = Events::default();
        let mut rest = text;
        while let Some(length) = self.steps.next(rest) {
            self.tail.push_str(&rest[..length]);
            rest = &rest[length..];
            self.step(false, &mut events);
        }
        self.tail.push_str(rest);
        events
    }

    fn holdback(&self) -> usize {
        self.tail[self.released..].chars().count()
    }

    fn finish(mut self) -> Events {
        let mut events = Events::default();
        self.step(true, &mut events);
        events
    }
}

impl MaskStream {
    /// Creates a stream.
    pub const fn new(options: MaskOptions) -> Self {
        let json = JsonPlace::start();
        Self { options, steps: Steps::new(), tail: String::new(), released: 0, open: None, json }
    }

    /// Emits what has become certain.
    fn step(&mut self, is_last: bool, events: &mut Events) {
        let tail = std::mem::take(&mut self.tail);
        let text = Text::new(&tail);
        let mut found = find_all(&text);
        found.extend(self.options.custom.find(&text, &Deadline::none()));
        found.sort_by_key(|entity| entity.span);
        let hold = if is_last { tail.len() } else { self.hold(&tail, &mut found) };
        found.retain(|entity| (self.options.selects)(entity));
        self.emit(&tail, hold, &found, events);
        self.tail = tail;
        self.forget();
    }

    /// Returns from where on the text is held back.
    fn hold(&self, tail: &str, found: &mut Vec<Entity>) -> usize {
        let open = self.options.custom.unsettled(tail, self.released);
        let hold = unsettled(tail, self.released, found, open);
        let bounded = overlong::bounded(tail, hold);
        if bounded > hold || self.open.is_some() {
            found.extend(overlong::open_token(tail, self.released));
        }
        bounded
    }

    fn emit(&mut self, tail: &str, hold: usize, found: &[Entity], events: &mut Events) {
        let json = self.document(tail);
        let mut masked = Masked::default();
        let mut at = self.released;
        let was_open = self.open.take().is_some();
        for place in places(tail, found, self.options.strategies.custom_types()) {
            if place.span.end <= self.released || place.span.start >= hold {
                continue;
            }
            let goes_on = was_open && place.span.start < self.released;
            for (number, segment) in self.segments(json, tail, place.span).into_iter().enumerate() {
                let start = segment.span.start.max(at);
                if start >= hold {
                    break;
                }
                masked.text.push_str(&tail[at..start]);
                if !(goes_on && number == 0) {
                    let shown = self.shown(json, &place, segment, &mut masked);
                    masked.text.push_str(&shown);
                    events.masked.push(place.kind.clone());
                }
                at = segment.span.end.min(hold).max(start);
            }
            self.open = (place.span.end > hold).then_some(place.span.start).or(self.open);
        }
        masked.text.push_str(&tail[at..hold]);
        self.json.advance(&tail[self.released..hold]);
        self.released = hold;
        events.text.push_str(&masked.text);
        events.tokens.append(&mut masked.tokens);
    }

    /// Returns whether the text is a JSON document as far as it is known.
    fn document(&self, tail: &str) -> bool {
        let mut place = self.json.clone();
        place.advance(&tail[self.released..]);
        place.is_json()
    }

    fn segments(&self, json: bool, tail: &str, span: Span) -> Vec<Segment> {
        if json {
            return self.json.segments(tail, self.released, span);
        }
        let span = Span::new(span.start.max(self.released), span.end);
        vec![Segment { span, is_scalar: false }]
    }

    /// Returns what stands in place of a segment of `place`.
    fn shown(&self, json: bool, place: &Place<'_>, segment: Segment, masked: &mut Masked) -> String {
        let part = Place { span: segment.span, ..*place };
        let shown = masked.replacement(&part, self.options.strategies.of(part.kind), &self.options.keys);
        if !json {
            return shown;
        }
        let quoted = format!("\"{shown}\"");
        let is_one = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        match segment.is_scalar {
            true if serde_json::from_str::<f64>(&shown).is_ok() => shown,
            true if is_one(&quoted) => quoted,
            true => format!("\"{}\"", full(place.kind)),
            false if is_one(&quoted) => shown,
            false => full(place.kind),
        }
    }

    /// Drops context, but for the heading of a table and the opening of an entity that go on.
    fn forget(&mut self) {
        if self.released < CONTEXT + 2 * SLACK {
            return;
        }
        let cut = cut(&self.tail, self.released - CONTEXT);
        let kept = match self.open {
            Some(start) => overlong::opening(&self.tail, start, cut.max(start)),
            None => self.open_table(cut).unwrap_or(Span::new(cut, cut)),
        };
        let start = kept.start.min(cut);
        let end = kept.end.min(cut);
        self.tail.replace_range(end..cut, "");
        self.tail.replace_range(..start, "");
        self.released -= cut - end + start;
        self.open = self.open.map(|open| if open < cut { open - start } else { open - (cut - end + start) });
    }

    /// Returns the heading of the table that goes on at `cut`.
    fn open_table(&self, cut: usize) -> Option<Span> {
        let before = &self.tail[..cut];
        pii::open_table(before).or_else(|| self.options.custom.open_table(before))
    }
}

/// Returns where the context may begin: at the last line, word or character before `target`.
fn cut(tail: &str, target: usize) -> usize {
    let target = char_boundary::floor(tail, target);
    let from = char_boundary::floor(tail, target.saturating_sub(SLACK));
    let near = &tail[from..target];
    let word = || near.char_indices().rev().find(|(_, c)| c.is_whitespace()).map(|(at, c)| at + c.len_utf8());
    near.rfind('\n').map(|line| line + 1).or_else(word).map_or(target, |at| from + at)
}
