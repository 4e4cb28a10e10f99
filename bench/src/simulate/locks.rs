//! Row locks of organisations: one transaction holds a row at a time.

use std::collections::VecDeque;

/// A lock for each organisation. Waiting journals get it in turn.
pub struct Locks(Vec<Lock>);

#[derive(Default)]
struct Lock {
    holder: Option<usize>,
    waiting: VecDeque<usize>,
    since: u64,
    held: u64,
}

impl Locks {
    pub fn new(organisations: usize) -> Self {
        Self((0..organisations).map(|_| Lock::default()).collect())
    }

    /// Takes the lock for `journal`. Returns false if it has to wait.
    pub fn take(&mut self, organisation: usize, journal: usize, now: u64) -> bool {
        let lock = &mut self.0[organisation];
        if lock.holder.is_some() {
            lock.waiting.push_back(journal);
            return false;
        }
        (lock.holder, lock.since) = (Some(journal), now);
        true
    }

    /// Releases the lock and returns the journal that gets it next.
    pub fn give_back(&mut self, organisation: usize, now: u64) -> Option<usize> {
        let lock = &mut self.0[organisation];
        lock.held += now - lock.since;
        (lock.holder, lock.since) = (lock.waiting.pop_front(), now);
        lock.holder
    }

    /// Returns the longest total time that any lock was held, in nanoseconds.
    pub fn longest(&self) -> u64 {
        self.0.iter().map(|lock| lock.held).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holds_a_row_and_the_others_wait_their_turn() {
        let mut locks = Locks::new(2);
        assert!(locks.take(0, 7, 10));
        assert!(!locks.take(0, 8, 11));
        assert!(!locks.take(0, 9, 12));
        assert!(locks.take(1, 8, 12));
        assert_eq!(locks.give_back(0, 20), Some(8));
        assert_eq!(locks.give_back(0, 25), Some(9));
        assert_eq!(locks.give_back(0, 40), None);
        assert_eq!(locks.longest(), 30);
    }
}
