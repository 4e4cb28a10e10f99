//! Connector status: stores check results and schedules the next check.

use std::time::Duration;

use guardengine_store::{CheckResult, Connector as Stored, Db, NewEvent, Result, Timestamp, Tx};

use super::catalog::of_name;
use crate::events;

/// Interval between checks of a healthy connector.
const HEALTHY_INTERVAL: Duration = Duration::from_mins(5);
/// Delay after the first failed check. It doubles with every further failure.
const MIN_RETRY_DELAY: Duration = Duration::from_secs(30);
/// Longest delay between failed checks.
const MAX_RETRY_DELAY: Duration = Duration::from_mins(30);

/// Returns the status shown to users: `active`, `error` or `disabled`.
pub fn status_of(connector: &Stored) -> &str {
    if connector.enabled { &connector.status } else { "disabled" }
}

/// Stores the result of a check or a use of a connector that began at `began`, unless a later one has a result already.
/// `error` says why it cannot be used; users see it, so it must not contain secrets. Returns `None` if the connector was
/// changed or deleted meanwhile.
pub async fn record_check(
    db: &Db,
    began: Timestamp,
    checked: &Stored,
    error: Option<&str>,
) -> Result<Option<Stored>> {
    let event = events::of_connector(checked, error, began);
    let kept = db.record_check(checked, check_result(checked, error, began, &event)).await?;
    note(checked, error, kept.as_ref());
    Ok(kept)
}

/// Stores a result as [`record_check`] does, in a transaction that the caller commits.
pub async fn record_check_in(
    tx: &mut Tx,
    began: Timestamp,
    checked: &Stored,
    error: Option<&str>,
) -> Result<Option<Stored>> {
    let event = events::of_connector(checked, error, began);
    let kept = tx.record_check(checked, check_result(checked, error, began, &event)).await?;
    note(checked, error, kept.as_ref());
    Ok(kept)
}

fn check_result<'a>(
    checked: &Stored,
    error: Option<&'a str>,
    at: Timestamp,
    event: &'a NewEvent,
) -> CheckResult<'a> {
    CheckResult { error, at, next: next_check_at(checked, error.is_some(), at), event: Some(event) }
}

/// Counts a check, and logs a change of status.
fn note(checked: &Stored, error: Option<&str>, kept: Option<&Stored>) {
    count(checked, error);
    if let Some(now) = kept.filter(|now| now.status != checked.status) {
        tracing::info!(connector = %now.id, organisation = %now.org_id, status = now.status, error, "connector status changed");
    }
}

fn count(checked: &Stored, error: Option<&str>) {
    let outcome = if error.is_some() { "error" } else { "active" };
    let kind = checked.connector_type.clone();
    metrics::counter!("guardengine_connector_checks_total", "connector_type" => kind, "outcome" => outcome)
        .increment(1);
}

/// Returns the time of the next check. Random jitter spreads connectors that were created or failed together.
fn next_check_at(checked: &Stored, failed: bool, now: Timestamp) -> Timestamp {
    if !failed && check_is_visible(&checked.connector_type) {
        return never();
    }
    let doublings = u32::try_from(checked.failures).unwrap_or(0).min(8);
    let delay =
        if failed { (MIN_RETRY_DELAY * 2_u32.pow(doublings)).min(MAX_RETRY_DELAY) } else { HEALTHY_INTERVAL };
    now + delay.mul_f64(0.75 + 0.5 * rand::random::<f64>())
}

/// Returns the time of the first check of a new or changed connector.
pub fn first_check_at(connector_type: &str, status: &str, now: Timestamp) -> Timestamp {
    if check_is_visible(connector_type) && status == "active" { never() } else { now }
}

fn check_is_visible(connector_type: &str) -> bool {
    of_name(connector_type).is_some_and(|kind| kind.check_is_visible)
}

const fn never() -> Timestamp {
    Timestamp::from_micros(i64::MAX)
}
