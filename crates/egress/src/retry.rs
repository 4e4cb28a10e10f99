//! How long to wait before a call is made again.

use std::time::Duration;

use crate::Error;

/// Calls altogether.
pub(crate) const MAX_ATTEMPTS: u32 = 3;
const FIRST_DELAY: Duration = Duration::from_millis(200);

/// The wait before try number `next` (from 1), after `fault`: what the peer asks for, else a random part of a span that
/// doubles, so that those who failed together do not come back together.
/// Source: Marc Brooker, "Exponential Backoff And Jitter", the variant with full jitter.
pub(crate) fn delay_before(next: u32, fault: &Error) -> Duration {
    let asked = match fault {
        Error::Status(answer) => answer.retry_after(),
        _ => None,
    };
    let span = FIRST_DELAY * 2_u32.pow(next.min(8));
    asked.unwrap_or_default().max(span.mul_f64(rand::random()))
}
