//! One stream behind another.

use super::{Events, Incremental};

/// Feeds the output of the first stream to the second.
#[derive(Debug)]
pub struct Then<A, B> {
    first: A,
    second: B,
}

impl<A: Incremental, B: Incremental> Then<A, B> {
    /// Puts `second` behind `first`.
    pub const fn new(first: A, second: B) -> Self {
        Self { first, second }
    }
}

impl<A: Incremental, B: Incremental> Incremental for Then<A, B> {
    fn feed(&mut self, text: &str) -> Events {
        let first = self.first.feed(text);
        passed_on(&mut self.second, first)
    }

    fn holdback(&self) -> usize {
        self.first.holdback() + self.second.holdback()
    }

    fn finish(mut self) -> Events {
        let mut events = passed_on(&mut self.second, self.first.finish());
        events.append(self.second.finish());
        events
    }
}

/// Feeds the text of `events` to `second`; the rest of them stays.
fn passed_on(second: &mut impl Incremental, events: Events) -> Events {
    let mut passed = second.feed(&events.text);
    passed.append(Events { text: String::new(), ..events });
    passed
}
