//! Queue of future events, in the order of time.

use std::{cmp::Reverse, collections::BinaryHeap};

/// Future events of a simulation. Events of the same nanosecond happen in the order in which they were added.
pub struct Events<T> {
    heap: BinaryHeap<Reverse<(u64, u64, T)>>,
    added: u64,
    now: u64,
}

impl<T: Ord> Events<T> {
    pub fn new() -> Self {
        Self { heap: BinaryHeap::new(), added: 0, now: 0 }
    }

    /// Returns the current time, in nanoseconds.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Adds an event that many nanoseconds from now.
    pub fn after(&mut self, nanoseconds: u64, event: T) {
        self.added += 1;
        self.heap.push(Reverse((self.now + nanoseconds, self.added, event)));
    }

    /// Advances to the next event and returns it.
    pub fn next(&mut self) -> Option<T> {
        let Reverse((time, _, event)) = self.heap.pop()?;
        self.now = time;
        Some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_happen_in_the_order_of_time_and_then_of_addition() {
        let mut events = Events::new();
        for (after, name) in [(30, "c"), (10, "z"), (10, "a"), (20, "b")] {
            events.after(after, name);
        }
        let mut order = Vec::new();
        while let Some(name) = events.next() {
            order.push((events.now(), name));
        }
        assert_eq!(order, [(10, "z"), (10, "a"), (20, "b"), (30, "c")]);
    }
}
