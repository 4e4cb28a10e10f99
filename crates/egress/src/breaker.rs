//! When a peer that keeps failing is left alone: nothing is asked while it rests, then one call finds out.

use std::time::Duration;

use tokio::time::Instant;

/// Failures in a row after which a peer rests.
const FAILURES: u32 = 5;
const FIRST_REST: Duration = Duration::from_secs(5);
const LONGEST_REST: Duration = Duration::from_mins(1);

/// What is known of a peer's failures.
#[derive(Debug, Default)]
pub(crate) struct Breaker {
    failures: u32,
    rests_until: Option<Instant>,
}

impl Breaker {
    /// Whether it may be asked now; else for how long it rests. After a rest the first one to ask is the one who finds
    /// out: until that is known the peer rests again.
    pub fn ask(&mut self, now: Instant) -> Result<(), Duration> {
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
        if self.failures >= FAILURES {
            self.rest(now);
        }
    }

    fn rest(&mut self, now: Instant) {
        let doublings = self.failures.saturating_sub(FAILURES).min(8);
        self.rests_until = Some(now + (FIRST_REST * 2_u32.pow(doublings)).min(LONGEST_REST));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_rests_after_failures_in_a_row_and_one_call_finds_out() {
        let (mut breaker, now) = (Breaker::default(), Instant::now());
        for _ in 1..FAILURES {
            breaker.failed(now);
            assert!(breaker.ask(now).is_ok());
        }
        breaker.failed(now);
        assert_eq!(breaker.ask(now), Err(FIRST_REST));
        let later = now + FIRST_REST;
        assert!(breaker.ask(later).is_ok() && breaker.ask(later).is_err());
        breaker.failed(later);
        assert_eq!(breaker.ask(later), Err(FIRST_REST * 2));
        (0..100).for_each(|_| breaker.failed(later));
        assert_eq!(breaker.ask(later), Err(LONGEST_REST));
        breaker.succeeded();
        assert!(breaker.ask(later).is_ok());
    }

    #[test]
    fn an_answer_in_between_counts_anew() {
        let (mut breaker, now) = (Breaker::default(), Instant::now());
        for _ in 0..20 {
            (1..FAILURES).for_each(|_| breaker.failed(now));
            breaker.succeeded();
        }
        assert!(breaker.ask(now).is_ok());
    }
}
