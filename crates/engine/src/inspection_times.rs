//! Time that each guardrail took.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::Duration,
};

type Now = Box<dyn Fn() -> Duration + Send + Sync>;

/// Measures how long each guardrail inspects the evidence. The engine has no clock, so its caller passes one; without it
/// nothing is measured.
#[derive(Default)]
pub struct InspectionTimes {
    now: Option<Now>,
    measured: Mutex<Vec<(&'static str, Duration)>>,
}

impl InspectionTimes {
    /// Measures by `now`, which returns the time since any fixed moment.
    pub fn measured_by(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self { now: Some(Box::new(now)), measured: Mutex::default() }
    }

    /// Runs `work` of a guardrail and measures it.
    pub(crate) fn measure<T>(&self, guardrail: &'static str, work: impl FnOnce() -> T) -> T {
        let Some(now) = &self.now else { return work() };
        let began = now();
        let done = work();
        let took = now().saturating_sub(began);
        self.measured.lock().unwrap_or_else(PoisonError::into_inner).push((guardrail, took));
        done
    }

    /// Returns the guardrails measured since the last call, in the order in which they ran, with their times.
    pub fn take(&self) -> Vec<(&'static str, Duration)> {
        std::mem::take(&mut self.measured.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for InspectionTimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InspectionTimes").field("is_measured", &self.now.is_some()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn measures_by_the_clock_of_the_caller() {
        let ticks = AtomicU64::new(0);
        let times = InspectionTimes::measured_by(move || {
            Duration::from_millis(ticks.fetch_add(5, Ordering::Relaxed))
        });
        assert_eq!(times.measure("pii", || 7), 7);
        times.measure("spam", || ());
        let took = Duration::from_millis(5);
        assert_eq!(times.take(), [("pii", took), ("spam", took)]);
        assert!(times.take().is_empty());
    }

    #[test]
    fn without_a_clock_nothing_is_measured() {
        let times = InspectionTimes::default();
        assert_eq!(times.measure("pii", || 7), 7);
        assert!(times.take().is_empty());
    }
}
