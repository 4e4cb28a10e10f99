//! One turn of a claimed subscription: events in their order, one message each, until one does not arrive.
//!
//! What arrived is kept at the end of the turn. Whoever is killed before that sends it again, under the same id.

use std::time::{Duration, Instant};

use guardengine_egress::Error;
use guardengine_store::{Delivered, EventFilter, EventSubscription, Result, Timestamp, Undelivered};

use super::Event;
use crate::{
    app::App,
    backoff::wait,
    connectors::{OpenConnector, describe_error, is_connector_error, open, record_check, webhook::written},
};

/// Events of a turn.
const PAGE: u16 = 100;
/// A turn begins no message after that.
const TURN: Duration = Duration::from_secs(20);
/// How long each message may take.
const DEADLINE: Duration = Duration::from_secs(10);
/// Longer takes no turn: a claim that is older is over.
pub const LONGEST: Duration = Duration::from_secs(45);
/// Between two attempts.
const LONGEST_WAIT: Duration = Duration::from_mins(5);

/// How far a turn came.
struct Reached {
    position: i64,
    arrived: bool,
    /// There is more to be told at once.
    more: bool,
    failed: Option<Failed>,
}

/// Why it came no further.
struct Failed {
    error: String,
    /// Not before that.
    asks: Option<Duration>,
    counts: bool,
    /// Whether it says that the connector cannot be used.
    says_of_connector: bool,
}

impl Failed {
    fn counted(error: impl Into<String>) -> Self {
        Self { error: error.into(), asks: None, counts: true, says_of_connector: false }
    }

    fn of(fault: &Error) -> Self {
        let (asks, counts) = match fault {
            Error::Resting(rest) => (Some(*rest), false),
            Error::Busy => (None, false),
            Error::Status(answer) => (answer.retry_after(), true),
            _ => (None, true),
        };
        Self { error: describe_error(fault), asks, counts, says_of_connector: is_connector_error(fault) }
    }
}

/// Takes the turn and keeps how far it came; whether there is more to be told at once.
pub async fn deliver_batch(app: &App, subscription: &EventSubscription) -> Result<bool> {
    let reached = reached(app, subscription).await?;
    let now = app.clock.now();
    let before = if reached.arrived { 0 } else { subscription.failures };
    let undelivered = |failed| undelivered(failed, before, now);
    let delivered = Delivered {
        position: reached.position,
        arrived: reached.arrived,
        failed: reached.failed.as_ref().map(undelivered),
    };
    app.db.keep_delivery(subscription, delivered, now).await?;
    Ok(reached.more)
}

fn undelivered(failed: &Failed, before: i64, now: Timestamp) -> Undelivered<'_> {
    let failures = before + i64::from(failed.counts);
    let until = now + wait(failures, LONGEST_WAIT, failed.asks, rand::random());
    Undelivered { until, error: &failed.error, counts: failed.counts }
}

async fn reached(app: &App, subscription: &EventSubscription) -> Result<Reached> {
    let connector = match usable(app, subscription).await? {
        Ok(connector) => connector,
        Err(error) => {
            let (position, failed) = (subscription.position, Some(Failed::counted(error)));
            return Ok(Reached { position, arrived: false, more: false, failed });
        }
    };
    let reached = sent(app, subscription, &connector).await?;
    // What arrived has arrived, whatever becomes of this.
    if let Err(fault) = learn(app, &connector, &reached).await {
        tracing::warn!(%fault, connector = %connector.stored.id, "what events told of their connector is not kept");
    }
    Ok(reached)
}

async fn sent(app: &App, subscription: &EventSubscription, connector: &OpenConnector) -> Result<Reached> {
    let (began, position) = (Instant::now(), subscription.position);
    let mut reached = Reached { position, arrived: false, more: false, failed: None };
    let page = app.db.events_after(subscription.org_id, &filter(subscription), position, PAGE).await?;
    if page.forgotten {
        tracing::warn!(subscription = %subscription.id, "events that a webhook waited for are forgotten for their age");
    }
    for event in page.events {
        let sequence = event.sequence;
        // What is broken off is sent again.
        match app.draining.run_until_cancelled(send(app, connector, event)).await {
            Some(Ok(())) => (reached.position, reached.arrived) = (sequence, true),
            Some(Err(fault)) => return Ok(Reached { failed: Some(Failed::of(&fault)), ..reached }),
            None => return Ok(reached),
        }
        if began.elapsed() > TURN {
            return Ok(Reached { more: true, ..reached });
        }
    }
    Ok(Reached { position: page.reached, more: page.reached < page.newest, ..reached })
}

/// What is told; of what cannot be read, nothing.
fn filter(subscription: &EventSubscription) -> EventFilter {
    let kinds = subscription.kinds.as_deref();
    let projects = subscription.projects.as_deref();
    EventFilter {
        kinds: kinds.map(|kinds| serde_json::from_str(kinds).unwrap_or_default()),
        projects: projects.map(|projects| serde_json::from_str(projects).unwrap_or_default()),
        reader: None,
    }
}

/// The connector, or why it cannot be used.
async fn usable(
    app: &App,
    subscription: &EventSubscription,
) -> Result<std::result::Result<OpenConnector, &'static str>> {
    let (org, id) = (subscription.org_id, subscription.connector_id);
    let Some(stored) = app.db.connector(org, id).await? else { return Ok(Err("the connector was deleted")) };
    if !stored.enabled {
        return Ok(Err("the connector is disabled"));
    }
    Ok(open(&app.vault, stored).await.map_err(|fault| {
        tracing::warn!(%fault, connector = %id, "a connector does not open");
        "the connector's secrets do not open"
    }))
}

async fn send(
    app: &App,
    connector: &OpenConnector,
    event: guardengine_store::Event,
) -> std::result::Result<(), Error> {
    let (now, happened) = (app.clock.now(), event.created_at);
    let id = format!("msg_{}", event.id.simple());
    let body = serde_json::to_string(&Event::from(event)).unwrap_or_default();
    let sent = app.egress.send(written(connector, &id, body, now).within(DEADLINE)).await;
    let outcome = if sent.is_ok() { "arrived" } else { "failed" };
    metrics::counter!("guardengine_event_messages_total", "outcome" => outcome).increment(1);
    if sent.is_ok() {
        metrics::histogram!("guardengine_event_delay_seconds").record(now.since(happened));
    }
    sent.map(drop)
}

/// What was found out about the connector in passing.
async fn learn(app: &App, connector: &OpenConnector, reached: &Reached) -> Result<()> {
    let error = match &reached.failed {
        Some(failed) if failed.says_of_connector => Some(failed.error.as_str()),
        None if reached.arrived && connector.stored.status != "active" => None,
        _ => return Ok(()),
    };
    record_check(app, &connector.stored, error).await.map(drop)
}
