//! Delivers a batch of events to one webhook: in order, one message per event, until a message fails.
//!
//! The position is stored at the end of the batch. After a crash before that, messages are sent again with the same id.

use std::time::{Duration, Instant};

use guardengine_api_types::Event;
use guardengine_egress::{Error, backoff::wait};
use guardengine_store::{
    DeliveryFailure, DeliveryProgress, EventFilter, EventSubscription, Result, Timestamp,
};

use crate::{
    Integrations,
    connectors::{OpenConnector, describe_error, is_connector_error, open, record_check},
    webhooks::with_body,
};

/// Maximum number of events in a batch.
const BATCH_SIZE: u16 = 100;
/// Time after which a batch sends no further message.
const BATCH_TIME: Duration = Duration::from_secs(20);
/// Longest time for each message.
const DEADLINE: Duration = Duration::from_secs(10);
/// Longest time for a batch, and so the duration of a claim.
pub const MAX_DURATION: Duration = Duration::from_secs(45);
/// Longest delay between two attempts.
const MAX_RETRY_DELAY: Duration = Duration::from_mins(5);

/// Progress of a batch.
struct Progress {
    position: i64,
    arrived: bool,
    /// More events are pending.
    more: bool,
    failed: Option<Failure>,
}

/// Error that ended a batch.
struct Failure {
    error: String,
    /// Delay that the receiver requests.
    retry_after: Option<Duration>,
    counts: bool,
    /// True if the error means that the connector cannot be used.
    is_connector_error: bool,
}

impl Failure {
    fn counted(error: impl Into<String>) -> Self {
        Self { error: error.into(), retry_after: None, counts: true, is_connector_error: false }
    }

    fn of(error: &Error) -> Self {
        let (retry_after, counts) = match error {
            Error::CircuitOpen(rest) => (Some(*rest), false),
            Error::Busy => (None, false),
            Error::Status(answer) => (answer.retry_after(), true),
            _ => (None, true),
        };
        Self {
            error: describe_error(error),
            retry_after,
            counts,
            is_connector_error: is_connector_error(error),
        }
    }
}

/// Delivers a batch and stores the progress. Returns true if more events are pending.
pub async fn deliver_batch(integrations: &Integrations, subscription: &EventSubscription) -> Result<bool> {
    let progress = deliver_events(integrations, subscription).await?;
    let now = integrations.clock.now();
    let previous_failures = if progress.arrived { 0 } else { subscription.failures };
    let failure = |failed| delivery_failure(failed, previous_failures, now);
    let stored_progress = DeliveryProgress {
        position: progress.position,
        delivered: progress.arrived,
        failure: progress.failed.as_ref().map(failure),
    };
    integrations.db.record_delivery(subscription, stored_progress, now).await?;
    Ok(progress.more)
}

fn delivery_failure(failed: &Failure, previous_failures: i64, now: Timestamp) -> DeliveryFailure<'_> {
    let failures = previous_failures + i64::from(failed.counts);
    let retry_at = now + wait(failures, MAX_RETRY_DELAY, failed.retry_after, rand::random());
    DeliveryFailure { retry_at, error: &failed.error, counts: failed.counts }
}

async fn deliver_events(integrations: &Integrations, subscription: &EventSubscription) -> Result<Progress> {
    let connector = match open_connector(integrations, subscription).await? {
        Ok(connector) => connector,
        Err(error) => {
            let (position, failed) = (subscription.position, Some(Failure::counted(error)));
            return Ok(Progress { position, arrived: false, more: false, failed });
        }
    };
    let began = integrations.clock.now();
    let progress = send_batch(integrations, subscription, &connector).await?;
    // The messages have arrived even if this fails.
    if let Err(error) = update_connector(integrations, &connector, began, &progress).await {
        tracing::warn!(%error, connector = %connector.stored.id, "could not store the status of a connector after a delivery");
    }
    Ok(progress)
}

async fn send_batch(
    integrations: &Integrations,
    subscription: &EventSubscription,
    connector: &OpenConnector,
) -> Result<Progress> {
    let (began, position) = (Instant::now(), subscription.position);
    let mut progress = Progress { position, arrived: false, more: false, failed: None };
    let page = integrations
        .db
        .events_after(subscription.org_id, &filter(subscription), position, BATCH_SIZE)
        .await?;
    if page.has_gap {
        tracing::warn!(subscription = %subscription.id, "events expired before they were delivered to a webhook");
    }
    for event in page.events {
        let sequence = event.sequence;
        // An interrupted message is sent again.
        match integrations.draining.run_until_cancelled(send(integrations, connector, event)).await {
            Some(Ok(())) => (progress.position, progress.arrived) = (sequence, true),
            Some(Err(error)) => return Ok(Progress { failed: Some(Failure::of(&error)), ..progress }),
            None => return Ok(progress),
        }
        if began.elapsed() > BATCH_TIME {
            return Ok(Progress { more: true, ..progress });
        }
    }
    Ok(Progress { position: page.reached, more: page.reached < page.newest, ..progress })
}

/// Returns the filter of a subscription. A filter that cannot be parsed matches nothing.
fn filter(subscription: &EventSubscription) -> EventFilter {
    let kinds = subscription.kinds.as_deref();
    let projects = subscription.projects.as_deref();
    EventFilter {
        kinds: kinds.map(|kinds| serde_json::from_str(kinds).unwrap_or_default()),
        projects: projects.map(|projects| serde_json::from_str(projects).unwrap_or_default()),
        scope: None,
    }
}

/// Opens the connector, or returns why it cannot be used.
async fn open_connector(
    integrations: &Integrations,
    subscription: &EventSubscription,
) -> Result<std::result::Result<OpenConnector, &'static str>> {
    let (org, id) = (subscription.org_id, subscription.connector_id);
    let Some(stored) = integrations.db.connector(org, id).await? else {
        return Ok(Err("the connector was deleted"));
    };
    if !stored.enabled {
        return Ok(Err("the connector is disabled"));
    }
    Ok(open(&integrations.vault, stored).await.map_err(|error| {
        tracing::warn!(%error, connector = %id, "could not decrypt a connector");
        "the connector's secrets cannot be decrypted"
    }))
}

async fn send(
    integrations: &Integrations,
    connector: &OpenConnector,
    event: guardengine_store::Event,
) -> std::result::Result<(), Error> {
    let (now, created_at) = (integrations.clock.now(), event.created_at);
    let id = format!("msg_{}", event.id.simple());
    let body = serde_json::to_string(&Event::new(event, &integrations.base_url)).unwrap_or_default();
    let sent = integrations.egress.send(with_body(connector, &id, body, now).within(DEADLINE)).await;
    let outcome = if sent.is_ok() { "arrived" } else { "failed" };
    metrics::counter!("guardengine_event_messages_total", "outcome" => outcome).increment(1);
    if sent.is_ok() {
        metrics::histogram!("guardengine_event_delay_seconds").record(now.since(created_at));
    }
    sent.map(drop)
}

/// Updates the connector's status from the outcome of a delivery.
async fn update_connector(
    integrations: &Integrations,
    connector: &OpenConnector,
    began: Timestamp,
    progress: &Progress,
) -> Result<()> {
    let error = match &progress.failed {
        Some(failed) if failed.is_connector_error => Some(failed.error.as_str()),
        None if progress.arrived && connector.stored.status != "active" => None,
        _ => return Ok(()),
    };
    record_check(&integrations.db, began, &connector.stored, error).await.map(drop)
}
