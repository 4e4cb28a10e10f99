//! Exponential backoff for background retries.

use std::time::Duration;

use crate::response::MAX_RETRY_AFTER;

/// Longest wait after the first failure.
const INITIAL: Duration = Duration::from_secs(10);

/// Returns the wait after `failures` failures, counted from 1. The wait doubles with each failure up to `max`. Its second
/// half is multiplied by `random` (0 to 1), so that simultaneous failures do not retry simultaneously. It is at least the
/// wait that the peer `requested`, up to a day.
///
/// Source: Marc Brooker, "Exponential Backoff And Jitter", the variant with equal jitter.
pub fn wait(failures: i64, max: Duration, requested: Option<Duration>, random: f64) -> Duration {
    let doublings = u32::try_from(failures.saturating_sub(1).max(0)).unwrap_or(u32::MAX).min(16);
    let span = (INITIAL * 2_u32.pow(doublings)).min(max);
    span.mul_f64(0.5 + 0.5 * random).max(requested.unwrap_or_default().min(MAX_RETRY_AFTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn doubles_up_to_the_maximum_with_a_random_half() {
        assert_eq!(
            [1, 2, 3, 9].map(|failures| wait(failures, HOUR, None, 1.0).as_secs()),
            [10, 20, 40, 2560]
        );
        assert_eq!(
            [1, 2, 10, i64::MAX].map(|failures| wait(failures, HOUR, None, 0.0).as_secs()),
            [5, 10, 1800, 1800]
        );
    }

    #[test]
    fn respects_the_requested_wait_up_to_a_day() {
        assert_eq!(wait(1, HOUR, Some(seconds(90)), 0.5), seconds(90));
        assert_eq!(wait(1, HOUR, Some(seconds(1)), 1.0), seconds(10));
        assert_eq!(wait(1, HOUR, Some(Duration::MAX), 1.0), MAX_RETRY_AFTER);
    }
}
