//! The loop that works off a queue of the database in the background. Each replica works on the items that it claimed.

use std::{sync::Arc, time::Duration};

use guardengine_store::{Result, Timestamp};
use tokio::{
    sync::{Notify, OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use crate::Integrations;

/// Items of the database that become due.
pub(crate) trait Queue: 'static {
    /// An item.
    type Item: Send + 'static;
    /// Noun for the items, for the service log.
    const ITEMS: &'static str;
    /// Pause between two searches for items that are due.
    const TICK: Duration;
    /// Items that one process works on at once.
    const MAX_CONCURRENT: usize;

    /// Signal that ends the pause early.
    fn signal(integrations: &Integrations) -> Option<&Notify>;

    /// Claims up to `limit` items that are due. Other processes leave them alone until the claim expires.
    fn claim(
        integrations: &Integrations,
        now: Timestamp,
        limit: u16,
    ) -> impl Future<Output = Result<Vec<Self::Item>>> + Send;

    /// Works on an item, in bounded time, and stores the outcome.
    fn process(integrations: &Integrations, item: Self::Item) -> impl Future<Output = ()> + Send;
}

/// Works off a queue until `stop` is cancelled.
pub(crate) async fn run<Q: Queue>(integrations: Integrations, stop: CancellationToken) {
    let permits = Arc::new(Semaphore::new(Q::MAX_CONCURRENT));
    while stop.run_until_cancelled(pause::<Q>(&integrations)).await.is_some() {
        if let Err(error) = start_due::<Q>(&integrations, &permits).await {
            tracing::warn!(%error, "could not load {}; retrying in {} s", Q::ITEMS, Q::TICK.as_secs());
        }
    }
}

async fn pause<Q: Queue>(integrations: &Integrations) {
    match Q::signal(integrations) {
        Some(signal) => drop(timeout(Q::TICK, signal.notified()).await),
        None => tokio::time::sleep(Q::TICK).await,
    }
}

async fn start_due<Q: Queue>(integrations: &Integrations, permits: &Arc<Semaphore>) -> Result<()> {
    let free: Vec<_> = std::iter::from_fn(|| Arc::clone(permits).try_acquire_owned().ok()).collect();
    if free.is_empty() {
        return Ok(());
    }
    let due = Q::claim(integrations, integrations.clock.now(), free.len() as u16).await?;
    for (item, permit) in due.into_iter().zip(free) {
        integrations.tasks.spawn(process::<Q>(integrations.clone(), item, permit));
    }
    Ok(())
}

async fn process<Q: Queue>(integrations: Integrations, item: Q::Item, permit: OwnedSemaphorePermit) {
    Q::process(&integrations, item).await;
    drop(permit);
}
