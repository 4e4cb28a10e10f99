//! Webhooks are told in the background, each by the replica that claimed it.

use std::{sync::Arc, time::Duration};

use guardengine_store::EventSubscription;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::deliver::{LONGEST, deliver_batch};
use crate::app::App;

/// Between two looks for what is due.
const TICK: Duration = Duration::from_secs(1);
/// Webhooks that are told at once.
const PLACES: usize = 32;

/// Tells what is due, until `stop`.
pub async fn deliver(app: App, stop: CancellationToken) {
    let places = Arc::new(Semaphore::new(PLACES));
    loop {
        let wait = timeout(TICK, app.events_pending.notified());
        if stop.run_until_cancelled(wait).await.is_none() {
            return;
        }
        if let Err(fault) = deliver_due(&app, &places).await {
            tracing::warn!(%fault, "webhooks that are to be told of events are not known, they wait");
        }
    }
}

async fn deliver_due(app: &App, places: &Arc<Semaphore>) -> guardengine_store::Result<()> {
    let free: Vec<_> = std::iter::from_fn(|| Arc::clone(places).try_acquire_owned().ok()).collect();
    if free.is_empty() {
        return Ok(());
    }
    let now = app.clock.now();
    let due = app.db.claim_due_subscriptions(now, now + LONGEST, free.len() as u16).await?;
    for (subscription, place) in due.into_iter().zip(free) {
        app.tasks.spawn(told(app.clone(), subscription, place));
    }
    Ok(())
}

async fn told(app: App, subscription: EventSubscription, place: OwnedSemaphorePermit) {
    match timeout(LONGEST, deliver_batch(&app, &subscription)).await {
        Ok(Ok(true)) => app.events_pending.notify_one(),
        Ok(Ok(false)) => {}
        Ok(Err(fault)) => {
            tracing::warn!(%fault, subscription = %subscription.id, "how far a webhook was told is not kept");
        }
        Err(_) => tracing::warn!(subscription = %subscription.id, "a webhook's turn took too long"),
    }
    drop(place);
}
