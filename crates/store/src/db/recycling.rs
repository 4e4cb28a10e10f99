//! Replacement of the connections of a pool after a failure, so that no failure outlives its cause.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use sqlx::pool::PoolConnectionMetadata;

/// The future of a pool's check.
type Checked<'c> = Pin<Box<dyn Future<Output = sqlx::Result<bool>> + Send + 'c>>;

/// Time of the last request to replace connections; cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Recycling(Arc<Mutex<Option<Instant>>>);

impl Recycling {
    fn last(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces every connection that is open now, before its next use.
    pub fn recycle(&self) {
        *self.last() = Some(Instant::now());
    }

    /// Returns whether a connection of that age may be used.
    fn keeps(&self, age: Duration) -> bool {
        self.last().is_none_or(|last| age < last.elapsed())
    }

    /// The check of a pool before it gives out a connection.
    pub fn check<C>(
        &self,
    ) -> impl for<'c> Fn(&'c mut C, PoolConnectionMetadata) -> Checked<'c> + Send + Sync + 'static {
        let recycling = self.clone();
        move |_, metadata| Box::pin(std::future::ready(Ok(recycling.keeps(metadata.age))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_opened_before_are_replaced() {
        let recycling = Recycling::default();
        assert!(recycling.keeps(Duration::from_secs(9)));
        recycling.recycle();
        assert!(!recycling.keeps(Duration::from_secs(9)) && recycling.keeps(Duration::ZERO));
    }
}
