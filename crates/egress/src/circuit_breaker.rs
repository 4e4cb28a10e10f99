//! When a peer that keeps failing is left alone: nothing is asked while it rests, then one call finds out.

use std::time::Duration;

use tokio::time::Instant;

/// Failures in a row after which a peer rests.
const FAILURE_LIMIT: u32 = 5;
const FIRST_OPEN: Duration = Duration::from_secs(5);
const MAX_OPEN: Duration = Duration::from_mins(1);

/// What is known of a peer's failures.
#[derive(Debug, Default)]
pub(crate) struct CircuitBreaker {
    failures: u32,
    rests_until: Option<Instant>,
}

impl CircuitBreaker {
    /// Whether it may be asked now; else for how long it rests. After a rest the first one to ask is the one who finds
    /// out: until that is known the peer rests again.
    pub fn check(&mut self, now: Instant) -> Result<(), Duration> {
        match self.rests_until {
            Some(end) if end > now => Err(end - now),
            Some(_) => {
                self.rest(now);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// It answered.
    pub fn succeeded(&mut self) {
        *self = Self::default();
    }

    /// It failed.
    pub fn failed(&mut self, now: Instant) {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= FAILURE_LIMIT {
            self.rest(now);
        }
    }

    fn rest(&mut self, now: Instant) {
        let doublings = self.failures.saturating_sub(FAILURE_LIMIT).min(8);
        self.rests_until = Some(now + (FIRST_OPEN * 2_u32.pow(doublings)).min(MAX_OPEN));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_rests_after_failures_in_a_row_and_one_call_finds_out() {
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
    fn an_answer_in_between_counts_anew() {
        let (mut breaker, now) = (CircuitBreaker::default(), Instant::now());
        for _ in 0..20 {
            (1..FAILURE_LIMIT).for_each(|_| breaker.failed(now));
            breaker.succeeded();
        }
        assert!(breaker.check(now).is_ok());
    }
}
