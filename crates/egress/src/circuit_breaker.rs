//! Circuit breaker: pauses calls to a destination that keeps failing, then lets a single call through.

use std::time::Duration;

use tokio::time::Instant;

/// Consecutive failures that open the circuit.
const FAILURE_LIMIT: u32 = 5;
/// Duration of the first pause; each further failure doubles it.
const FIRST_OPEN: Duration = Duration::from_secs(5);
/// Longest pause.
const MAX_OPEN: Duration = Duration::from_mins(1);

/// Recent failures of one destination.
#[derive(Debug, Default)]
pub(crate) struct CircuitBreaker {
    failures: u32,
    open_until: Option<Instant>,
}

impl CircuitBreaker {
    /// Returns `Ok` when a call may be made, otherwise the time that is left of the pause.
    ///
    /// Only one call gets through after a pause: the circuit opens again until the outcome of that call is recorded.
    pub fn check(&mut self, now: Instant) -> Result<(), Duration> {
        match self.open_until {
            Some(end) if end > now => Err(end - now),
            Some(_) => {
                self.open(now);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Records a response and closes the circuit.
    pub fn succeeded(&mut self) {
        *self = Self::default();
    }

    /// Records a failure.
    pub fn failed(&mut self, now: Instant) {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= FAILURE_LIMIT {
            self.open(now);
        }
    }

    fn open(&mut self, now: Instant) {
        let doublings = self.failures.saturating_sub(FAILURE_LIMIT).min(8);
        self.open_until = Some(now + (FIRST_OPEN * 2_u32.pow(doublings)).min(MAX_OPEN));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_after_consecutive_failures_and_lets_one_call_through() {
        let (mut breaker, now) = (CircuitBreaker::default(), Instant::now());
        for _ in 1..FAILURE_LIMIT {
            breaker.failed(now);
            assert!(breaker.check(now).is_ok());
        }
        breaker.failed(now);
        assert_eq!(breaker.check(now), Err(FIRST_OPEN));
        let later = now + FIRST_OPEN;
        assert!(breaker.check(later).is_ok() && breaker.check(later).is_err());
        breaker.failed(later);
        assert_eq!(breaker.check(later), Err(FIRST_OPEN * 2));
        (0..100).for_each(|_| breaker.failed(later));
        assert_eq!(breaker.check(later), Err(MAX_OPEN));
        breaker.succeeded();
        assert!(breaker.check(later).is_ok());
    }

    #[test]
    fn a_success_resets_the_failure_count() {
        let (mut breaker, now) = (CircuitBreaker::default(), Instant::now());
        for _ in 0..20 {
            (1..FAILURE_LIMIT).for_each(|_| breaker.failed(now));
            breaker.succeeded();
        }
        assert!(breaker.check(now).is_ok());
    }
}
