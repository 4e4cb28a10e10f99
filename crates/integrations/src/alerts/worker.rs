//! Background delivery of the messages of rules. Each replica sends what it claimed.

use std::time::Duration;

use guardengine_egress::backoff::wait;
use guardengine_store::{AlertDelivery, Result, RetryLater, Timestamp};
use tokio::sync::Notify;

use super::channels::{AlertMessage, SendError, send_to};
use crate::{Integrations, background::Queue};

/// Duration of a claim: longer than any attempt.
const CLAIM_DURATION: Duration = Duration::from_mins(1);
/// Failed attempts after which a message is dead: about an hour.
const MAX_FAILURES: i64 = 10;
/// Longest delay between two attempts.
const MAX_RETRY_DELAY: Duration = Duration::from_mins(15);

/// Messages that wait for an attempt.
pub(crate) struct Messages;

impl Queue for Messages {
    type Item = AlertDelivery;
    const ITEMS: &str = "the messages of alerts";
    const TICK: Duration = Duration::from_secs(2);
    const MAX_CONCURRENT: usize = 8;

    fn signal(integrations: &Integrations) -> Option<&Notify> {
        Some(&integrations.alerts_pending)
    }

    async fn claim(integrations: &Integrations, now: Timestamp, limit: u16) -> Result<Vec<AlertDelivery>> {
        integrations.db.claim_due_alert_deliveries(now, now + CLAIM_DURATION, limit).await
    }

    async fn process(integrations: &Integrations, delivery: AlertDelivery) {
        let delivered = integrations.draining.run_until_cancelled(deliver_one(integrations, &delivery)).await;
        if let Some(Err(error)) = delivered {
            tracing::warn!(%error, delivery = %delivery.id, "could not store the outcome of an alert's message");
        }
    }
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
