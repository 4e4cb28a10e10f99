//! Background delivery of events to webhooks. Each replica delivers to the subscriptions that it claimed.

use std::{sync::Arc, time::Duration};

use guardengine_store::EventSubscription;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::batch::{MAX_DURATION, deliver_batch};
use crate::Integrations;

/// Pause between two searches for subscriptions that are due.
const TICK: Duration = Duration::from_secs(1);
/// Concurrent deliveries.
const MAX_CONCURRENT: usize = 32;

/// Delivers events to subscriptions that are due until `stop` is cancelled.
pub async fn deliver(integrations: Integrations, stop: CancellationToken) {
    let permits = Arc::new(Semaphore::new(MAX_CONCURRENT));
    loop {
        let wait = timeout(TICK, integrations.events_pending.notified());
        if stop.run_until_cancelled(wait).await.is_none() {
            return;
        }
        if let Err(error) = deliver_due(&integrations, &permits).await {
            tracing::warn!(%error, "could not load webhook subscriptions due for delivery; retrying in 1 s");
        }
    }
}

async fn deliver_due(integrations: &Integrations, permits: &Arc<Semaphore>) -> guardengine_store::Result<()> {
    let free: Vec<_> = std::iter::from_fn(|| Arc::clone(permits).try_acquire_owned().ok()).collect();
    if free.is_empty() {
        return Ok(());
    }
    let now = integrations.clock.now();
    let due = integrations.db.claim_due_subscriptions(now, now + MAX_DURATION, free.len() as u16).await?;
    for (subscription, permit) in due.into_iter().zip(free) {
        integrations.tasks.spawn(deliver_with_permit(integrations.clone(), subscription, permit));
    }
    Ok(())
}

async fn deliver_with_permit(
    integrations: Integrations,
    subscription: EventSubscription,
    permit: OwnedSemaphorePermit,
) {
    match timeout(MAX_DURATION, deliver_batch(&integrations, &subscription)).await {
        Ok(Ok(true)) => integrations.events_pending.notify_one(),
        Ok(Ok(false)) => {}
        Ok(Err(error)) => {
            tracing::warn!(%error, subscription = %subscription.id, "could not store the progress of a webhook delivery");
        }
        Err(_) => tracing::warn!(subscription = %subscription.id, "webhook delivery timed out"),
    }
    drop(permit);
}
