//! What was found out about connectors, and when to look again.

use std::time::Duration;

use guardengine_store::{Connector as Stored, Db, Finding, NewEvent, Result, Timestamp, Tx};

use super::catalog::of_name;
use crate::{app::App, events};

/// Between checks of a connector that answers.
const USUAL: Duration = Duration::from_mins(5);
/// After the first check that fails; twice as long after each further one.
const FIRST: Duration = Duration::from_secs(30);
const LONGEST: Duration = Duration::from_mins(30);

/// `active`, `error` or `disabled`.
pub fn status_of(connector: &Stored) -> &str {
    if connector.enabled { &connector.status } else { "disabled" }
}

/// Keeps what came of asking a connector, in a check or in use: `error` tells why it cannot be used, in words for people
/// that hold no secret. `None` when it was changed or deleted meanwhile.
pub async fn record_check(app: &App, asked: &Stored, error: Option<&str>) -> Result<Option<Stored>> {
    record_check_at(&app.db, app.clock.now(), asked, error).await
}

/// The same, found out `at` that time.
pub async fn record_check_at(
    db: &Db,
    at: Timestamp,
    asked: &Stored,
    error: Option<&str>,
) -> Result<Option<Stored>> {
    let event = events::of_connector(asked, error, at);
    let kept = db.keep_finding(asked, finding(asked, error, at, &event)).await?;
    note(asked, error, kept.as_ref());
    Ok(kept)
}

/// The same, in a transaction that is left to commit.
pub async fn record_check_in(
    tx: &mut Tx,
    at: Timestamp,
    asked: &Stored,
    error: Option<&str>,
) -> Result<Option<Stored>> {
    let event = events::of_connector(asked, error, at);
    let kept = tx.keep_finding(asked, finding(asked, error, at, &event)).await?;
    note(asked, error, kept.as_ref());
    Ok(kept)
}

fn finding<'a>(asked: &Stored, error: Option<&'a str>, at: Timestamp, event: &'a NewEvent) -> Finding<'a> {
    Finding { error, at, next: next(asked, error.is_some(), at), event: Some(event) }
}

/// Counts a check, and logs a change of status.
fn note(asked: &Stored, error: Option<&str>, kept: Option<&Stored>) {
    count(asked, error);
    if let Some(now) = kept.filter(|now| now.status != asked.status) {
        tracing::info!(connector = %now.id, organisation = %now.org_id, status = now.status, error, "a connector changed its status");
    }
}

fn count(asked: &Stored, error: Option<&str>) {
    let outcome = if error.is_some() { "error" } else { "active" };
    let kind = asked.connector_type.clone();
    metrics::counter!("guardengine_connector_checks_total", "connector_type" => kind, "outcome" => outcome)
        .increment(1);
}

/// When to look again: connectors that were made or failed together drift apart.
fn next(asked: &Stored, failed: bool, now: Timestamp) -> Timestamp {
    if !failed && is_heard(&asked.connector_type) {
        return never();
    }
    let doublings = u32::try_from(asked.failures).unwrap_or(0).min(8);
    let span = if failed { (FIRST * 2_u32.pow(doublings)).min(LONGEST) } else { USUAL };
    now + span.mul_f64(0.75 + 0.5 * rand::random::<f64>())
}

/// When to look first at one that was made or changed.
pub fn first_check_at(connector_type: &str, status: &str, now: Timestamp) -> Timestamp {
    if is_heard(connector_type) && status == "active" { never() } else { now }
}

fn is_heard(connector_type: &str) -> bool {
    of_name(connector_type).is_some_and(|kind| kind.is_heard)
}

const fn never() -> Timestamp {
    Timestamp::from_micros(i64::MAX)
}
