//! Limits the time of an evaluation.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
};

/// The end of the time for an evaluation. The engine has no clock, so its caller says whether the time is over.
///
/// Long loops ask between two steps and stop when it is. What they found is then incomplete, so the caller must not
/// allow the text: it asks [`Self::was_missed`] at the end.
pub struct Deadline {
    is_over: Box<dyn Fn() -> bool + Send + Sync>,
    missed: AtomicBool,
}

impl Deadline {
    /// Creates a deadline that is over once `is_over` returns true.
    pub fn new(is_over: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { is_over: Box::new(is_over), missed: AtomicBool::new(false) }
    }

    /// Returns a deadline that never comes.
    pub fn none() -> Self {
        Self::new(|| false)
    }

    /// Returns whether the time is over. Once it is, it stays so.
    pub fn is_over(&self) -> bool {
        if !self.was_missed() && (self.is_over)() {
            self.missed.store(true, Ordering::Relaxed);
        }
        self.was_missed()
    }

    /// Returns whether a step was left out because the time was over.
    pub fn was_missed(&self) -> bool {
        self.missed.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Deadline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deadline").field("missed", &self.was_missed()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_that_is_over_stays_over() {
        let asked = AtomicBool::new(false);
        let once = Deadline::new(move || !asked.swap(true, Ordering::Relaxed));
        assert!(!once.was_missed() && once.is_over() && once.is_over() && once.was_missed());
        assert!(!Deadline::none().is_over());
    }
}
