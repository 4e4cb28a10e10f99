//! Background delivery of the messages of rules. Each replica sends what it claimed.

use std::{sync::Arc, time::Duration};

use guardengine_egress::backoff::wait;
use guardengine_store::{AlertDelivery, Result, RetryLater};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::channels::{AlertMessage, SendError, send_to};
use crate::Integrations;

/// Pause between two searches for messages that are due.
const TICK: Duration = Duration::from_secs(2);
/// Concurrent messages.
const MAX_CONCURRENT: usize = 8;
/// Duration of a claim: longer than any attempt.
const CLAIM_DURATION: Duration = Duration::from_mins(1);
/// Failed attempts after which a message is dead: about an hour.
const MAX_FAILURES: i64 = 10;
/// Longest delay between two attempts.
const MAX_RETRY_DELAY: Duration = Duration::from_mins(15);

/// Sends messages that are due until `stop` is cancelled.
pub async fn deliver(integrations: Integrations, stop: CancellationToken) {
    let permits = Arc::new(Semaphore::new(MAX_CONCURRENT));
    loop {
        let wait = timeout(TICK, integrations.alerts_pending.notified());
        if stop.run_until_cancelled(wait).await.is_none() {
            return;
        }
        if let Err(error) = deliver_due(&integrations, &permits).await {
            tracing::warn!(%error, "could not load the messages of alerts; retrying in 2 s");
        }
    }
}

async fn deliver_due(integrations: &Integrations, permits: &Arc<Semaphore>) -> Result<()> {
    let free: Vec<_> = std::iter::from_fn(|| Arc::clone(permits).try_acquire_owned().ok()).collect();
    if free.is_empty() {
        return Ok(());
    }
    let now = integrations.clock.now();
    let due =
        integrations.db.claim_due_alert_deliveries(now, now + CLAIM_DURATION, free.len() as u16).await?;
    for (delivery, permit) in due.into_iter().zip(free) {
        integrations.tasks.spawn(deliver_with_permit(integrations.clone(), delivery, permit));
    }
    Ok(())
}

async fn deliver_with_permit(
    integrations: Integrations,
    delivery: AlertDelivery,
    permit: OwnedSemaphorePermit,
) {
    let draining = integrations.draining.clone();
    let delivered = draining.run_until_cancelled(deliver_one(&integrations, &delivery)).await;
    if let Some(Err(error)) = delivered {
        tracing::warn!(%error, delivery = %delivery.id, "could not store the outcome of an alert's message");
    }
    drop(permit);
}

async fn deliver_one(integrations: &Integrations, delivery: &AlertDelivery) -> Result<()> {
    let recipients: Vec<String> = serde_json::from_str(&delivery.recipients).unwrap_or_default();
    let message =
        AlertMessage { title: &delivery.title, content: &delivery.content, recipients: &recipients };
    let sent = send_to(integrations, delivery.org_id, delivery.connector_id, message).await?;
    let (db, now) = (&integrations.db, integrations.clock.now());
    let outcome = match sent {
        Ok(()) => {
            db.complete_alert_delivery(delivery, now).await?;
            "sent"
        }
        Err(SendError { error, is_transient }) if is_transient && delivery.failures + 1 < MAX_FAILURES => {
            let delay = wait(delivery.failures + 1, MAX_RETRY_DELAY, None, rand::random());
            let retry = RetryLater { retry_at: now + delay, error: &error, counts: true };
            db.reschedule_alert_delivery(delivery, retry, now).await?;
            "failed"
        }
        Err(SendError { error, .. }) => {
            db.fail_alert_delivery(delivery, &error, now).await?;
            "dead"
        }
    };
    metrics::counter!("guardengine_alert_messages_total", "outcome" => outcome).increment(1);
    Ok(())
}
