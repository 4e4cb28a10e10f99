//! Retry limit and delays.

use std::time::Duration;

use crate::Error;

/// Attempts per call, including the first.
pub(crate) const MAX_ATTEMPTS: u32 = 3;
/// Upper bound of the random delay, doubled with each attempt.
const FIRST_DELAY: Duration = Duration::from_millis(200);

/// Returns the delay after failed attempt number `attempt` (from 1): the larger of `Retry-After` and a random share of
/// an exponentially growing bound. Randomness keeps callers that failed together from retrying together.
///
/// Source: Marc Brooker, "Exponential Backoff And Jitter", the variant with full jitter.
pub(crate) fn delay_after(attempt: u32, error: &Error) -> Duration {
    let retry_after = match error {
        Error::Status(response) => response.retry_after(),
        _ => None,
    };
    let bound = FIRST_DELAY * 2_u32.pow(attempt.min(8));
    retry_after.unwrap_or_default().max(bound.mul_f64(rand::random()))
}
