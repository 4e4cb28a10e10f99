//! Evaluates rules that are due, and records when they begin and cease to fire.

use std::time::Duration;

use guardengine_store::{
    AlertCheck, AlertRule, AlertTransition, Error, NewAlertDelivery, Result, Timestamp, new_id,
};
use uuid::Uuid;

use super::{Condition, reading::read};
use crate::{Integrations, events};

/// Time between two evaluations of a rule.
const INTERVAL: Duration = Duration::from_mins(1);
/// Rules claimed at once.
const BATCH_SIZE: u16 = 50;

/// Evaluates the rules that are due, of all organizations. `failed_parts` are the parts of the service that do not work.
pub async fn evaluate_due(integrations: &Integrations, failed_parts: &[String]) -> Result<()> {
    loop {
        let now = integrations.clock.now();
        let due = integrations.db.claim_due_alert_rules(now, now + INTERVAL, BATCH_SIZE).await?;
        for rule in &due {
            if let Err(error) = evaluate(integrations, rule, failed_parts, now).await {
                tracing::warn!(%error, rule = %rule.id, "could not evaluate an alert rule; retrying in a minute");
            }
        }
        if due.len() < usize::from(BATCH_SIZE) {
            return Ok(());
        }
    }
}

async fn evaluate(
    integrations: &Integrations,
    rule: &AlertRule,
    failed_parts: &[String],
    now: Timestamp,
) -> Result<()> {
    let Ok(condition) = serde_json::from_str::<Condition>(&rule.condition) else {
        tracing::warn!(rule = %rule.id, "the condition of an alert rule cannot be parsed");
        return Ok(());
    };
    let reading = read(&integrations.db, rule, &condition, failed_parts, now).await?;
    let fires = changed_state(rule, reading.is_met, now);
    let transition = fires.map(|fires| AlertTransition {
        fires,
        event: events::of_alert(rule, &condition, fires, &reading.summary, now),
        deliveries: messages(integrations, rule, fires, &reading.summary, now),
    });
    let check = AlertCheck { at: now, summary: &reading.summary, transition };
    let is_recorded = integrations.db.record_alert_check(rule, check).await?;
    if fires.is_some() && is_recorded {
        let change = if fires == Some(true) { "fired" } else { "resolved" };
        metrics::counter!("guardengine_alerts_total", "change" => change).increment(1);
        integrations.events_pending.notify_one();
        integrations.alerts_pending.notify_one();
    }
    Ok(())
}

/// Returns the new state, true if the rule fires; `None` if the state stays. A rule does not fire again before the
/// cooldown of its last alert ended.
fn changed_state(rule: &AlertRule, is_met: bool, now: Timestamp) -> Option<bool> {
    let is_firing = rule.state == "firing";
    let cooldown = Duration::from_secs(rule.cooldown.unsigned_abs());
    let is_quiet = rule.last_fired_at.is_some_and(|fired| fired + cooldown > now);
    match (is_firing, is_met) {
        (false, true) if !is_quiet => Some(true),
        (true, false) => Some(false),
        _ => None,
    }
}

fn messages(
    integrations: &Integrations,
    rule: &AlertRule,
    fires: bool,
    summary: &str,
    now: Timestamp,
) -> Vec<NewAlertDelivery> {
    let (kind, word) = if fires { ("fired", "Alert") } else { ("resolved", "Resolved") };
    let channels: Vec<Uuid> = serde_json::from_str(&rule.channels).unwrap_or_default();
    let message = |connector_id| NewAlertDelivery {
        id: new_id(now),
        connector_id,
        kind,
        title: format!("{word}: {}", rule.name),
        content: super::content(integrations, summary, now),
        recipients: rule.recipients.clone(),
    };
    channels.into_iter().map(message).collect()
}

/// Returns the summary of a rule as it is now, without a change of its state.
pub async fn summary_now(
    integrations: &Integrations,
    rule: &AlertRule,
    failed_parts: &[String],
) -> std::result::Result<String, Error> {
    let condition: Condition = serde_json::from_str(&rule.condition).unwrap_or(Condition::EngineDegraded {});
    let now = integrations.clock.now();
    Ok(read(&integrations.db, rule, &condition, failed_parts, now).await?.summary)
}
