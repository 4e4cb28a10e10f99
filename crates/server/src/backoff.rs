//! When what failed in the background is tried again.

use std::time::Duration;

const FIRST: Duration = Duration::from_secs(10);
/// Beyond this nobody is waited for, whatever they ask.
const PATIENCE: Duration = Duration::from_hours(24);

/// The wait after so many failures, counted from 1: a span that doubles up to the `longest`, of which the second half is
/// left to chance (`random` from 0 to 1), so that what failed together does not come back together; longer where the peer
/// `asks` for it.
/// Source: Marc Brooker, "Exponential Backoff And Jitter", the variant with equal jitter.
pub fn wait(failures: i64, longest: Duration, asks: Option<Duration>, random: f64) -> Duration {
    let doublings = u32::try_from(failures.saturating_sub(1).max(0)).unwrap_or(u32::MAX).min(16);
    let span = (FIRST * 2_u32.pow(doublings)).min(longest);
    span.mul_f64(0.5 + 0.5 * random).max(asks.unwrap_or_default().min(PATIENCE))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn waits_double_up_to_the_longest_and_half_of_them_is_chance() {
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
    fn whoever_asks_to_be_left_alone_is_up_to_a_day() {
        assert_eq!(wait(1, HOUR, Some(seconds(90)), 0.5), seconds(90));
        assert_eq!(wait(1, HOUR, Some(seconds(1)), 1.0), seconds(10));
        assert_eq!(wait(1, HOUR, Some(Duration::MAX), 1.0), PATIENCE);
    }
}
