//! Background delivery of events to webhooks. Each replica delivers to the subscriptions that it claimed.

use std::time::Duration;

use guardengine_store::{EventSubscription, Result, Timestamp};
use tokio::{sync::Notify, time::timeout};

use super::batch::{MAX_DURATION, deliver_batch};
use crate::{Integrations, background::Queue};

/// Subscriptions that have events to deliver.
pub(crate) struct Subscriptions;

impl Queue for Subscriptions {
    type Item = EventSubscription;
    const ITEMS: &str = "webhook subscriptions due for delivery";
    const TICK: Duration = Duration::from_secs(1);
    const MAX_CONCURRENT: usize = 32;

    fn signal(integrations: &Integrations) -> Option<&Notify> {
        Some(&integrations.events_pending)
    }

    async fn claim(integrations: &Integrations, now: Timestamp, limit: u16) -> Result<Vec<Self::Item>> {
        integrations.db.claim_due_subscriptions(now, now + MAX_DURATION, limit).await
    }

    async fn process(integrations: &Integrations, subscription: EventSubscription) {
        match timeout(MAX_DURATION, deliver_batch(integrations, &subscription)).await {
            Ok(Ok(true)) => integrations.events_pending.notify_one(),
            Ok(Ok(false)) => {}
            Ok(Err(error)) => {
                tracing::warn!(%error, subscription = %subscription.id, "could not store the progress of a webhook delivery");
            }
            Err(_) => tracing::warn!(subscription = %subscription.id, "webhook delivery timed out"),
        }
    }
}
