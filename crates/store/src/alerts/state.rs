//! Evaluations of alert rules. A claim moves the next evaluation, so that of several replicas one evaluates a rule.

use uuid::Uuid;

use super::NewAlertDelivery;
use super::rules::{AlertRule, rule_columns};
use crate::name::storable;
use crate::{Db, NewEvent, Result, Timestamp};

/// Result of an evaluation.
#[derive(Clone, Debug)]
pub struct AlertCheck<'a> {
    /// Time of the evaluation.
    pub at: Timestamp,
    /// Sentence about what it found.
    pub summary: &'a str,
    /// Change of the state; `None` if it stays.
    pub transition: Option<AlertTransition>,
}

/// A rule begins or ceases to fire.
#[derive(Clone, Debug)]
pub struct AlertTransition {
    /// True if it begins to fire.
    pub fires: bool,
    /// Event about it.
    pub event: NewEvent,
    /// Messages about it.
    pub deliveries: Vec<NewAlertDelivery>,
}

impl Db {
    /// Claims up to `limit` enabled rules that are due, of all organizations, longest overdue first. Their next
    /// evaluation moves to `next`, so that no other replica evaluates them meanwhile.
    pub async fn claim_due_alert_rules(
        &self,
        now: Timestamp,
        next: Timestamp,
        limit: u16,
    ) -> Result<Vec<AlertRule>> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query_as(concat!(
                "UPDATE alert_rules SET next_check_at = $2 WHERE enabled AND next_check_at <= $1 AND id IN
                 (SELECT id FROM alert_rules WHERE enabled AND next_check_at <= $1 ORDER BY next_check_at LIMIT $3)
                 RETURNING ",
                rule_columns!()
            ))
            .bind(now)
            .bind(next)
            .bind(i64::from(limit))
            .fetch_all(pool)
            .await?
        }))
    }

    /// Records an evaluation of a claimed rule; a transition with its event and messages, in one transaction. Returns
    /// false when the rule, or its state, has changed since.
    pub async fn record_alert_check(&self, rule: &AlertRule, check: AlertCheck<'_>) -> Result<bool> {
        let fires = check.transition.as_ref().map(|transition| transition.fires);
        let state = fires.map_or(rule.state.as_str(), |fires| if fires { "firing" } else { "ok" });
        let mut tx = self.write().await?;
        let recorded = on!(tx.connection(), |c| {
            sqlx::query(
                "UPDATE alert_rules SET checked_at = $5, summary = $6, state = $7,
                 firing_since = CASE WHEN $7 = 'ok' THEN NULL ELSE COALESCE(firing_since, $5) END,
                 last_fired_at = CASE WHEN $8 THEN $5 ELSE last_fired_at END
                 WHERE org_id = $1 AND id = $2 AND version = $3 AND state = $4 AND enabled",
            )
            .bind(rule.org_id)
            .bind(rule.id)
            .bind(rule.version)
            .bind(&rule.state)
            .bind(check.at)
            .bind(storable(check.summary))
            .bind(state)
            .bind(fires == Some(true))
            .execute(c)
            .await?
            .rows_affected()
                == 1
        });
        if let Some(transition) = check.transition.filter(|_| recorded) {
            let of = (rule.org_id, rule.id);
            tx.insert_events(rule.org_id, std::slice::from_ref(&transition.event)).await?;
            tx.insert_alert_deliveries(of, &transition.deliveries, check.at).await?;
        }
        tx.commit().await?;
        Ok(recorded)
    }

    /// Returns the names of an organization's enabled connectors that failed, 20 at most. `id` restricts
    /// it to one connector.
    pub async fn failed_connectors(&self, org_id: Uuid, id: Option<Uuid>) -> Result<Vec<String>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_scalar(
                "SELECT name FROM connectors WHERE org_id = $1 AND enabled AND status = 'error'
                 AND ($2 OR id = $3) ORDER BY name_key LIMIT 20",
            )
            .bind(org_id)
            .bind(id.is_none())
            .bind(id.unwrap_or_default())
            .fetch_all(pool)
            .await?
        }))
    }
}
