//! What is going to happen, in the order of time.

use std::{cmp::Reverse, collections::BinaryHeap};

/// Happenings of a simulation; what is to happen at the same nanosecond happens in the order in which it was told.
pub struct Events<T> {
    heap: BinaryHeap<Reverse<(u64, u64, T)>>,
    told: u64,
    now: u64,
}

impl<T: Ord> Events<T> {
    pub fn new() -> Self {
        Self { heap: BinaryHeap::new(), told: 0, now: 0 }
    }

    /// The present, nanoseconds.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Something happens so many nanoseconds from now.
    pub fn after(&mut self, nanoseconds: u64, event: T) {
        self.told += 1;
        self.heap.push(Reverse((self.now + nanoseconds, self.told, event)));
    }

    /// Goes on to what happens next.
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
    fn what_is_told_happens_in_the_order_of_time_and_then_of_telling() {
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
