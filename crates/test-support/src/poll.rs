//! Waiting for background work.

use std::time::Duration;

const INTERVAL: Duration = Duration::from_millis(100);
const ATTEMPTS: usize = 300;

/// Polls `look` in real time and returns its first value. Panics with `what` after 30 seconds.
pub async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..ATTEMPTS {
        if let Some(found) = look().await {
            return found;
        }
        tokio::time::sleep(INTERVAL).await;
    }
    panic!("not within {:?}: {what}", INTERVAL * ATTEMPTS as u32);
}
