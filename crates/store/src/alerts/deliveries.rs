//! Messages of alert rules: claimed by one replica at a time, then sent, rescheduled or given up. Every change names its
//! claim, so that one that comes too late changes nothing.

use uuid::Uuid;

use crate::db::Tx;
use crate::name::storable;
use crate::{Db, Page, Paged, Result, RetryLater, Timestamp};

const DELETE_BATCH: i64 = 500;

/// A message to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAlertDelivery {
    /// Identifier: see [`crate::new_id`].
    pub id: Uuid,
    /// Connector that sends it.
    pub connector_id: Uuid,
    /// `fired` or `resolved`.
    pub kind: &'static str,
    /// Title, one line.
    pub title: String,
    /// Text below the title.
    pub content: String,
    /// Addresses that receive it by e-mail: a JSON array.
    pub recipients: String,
}

/// A message and its delivery state.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct AlertDelivery {
    /// Organization.
    pub org_id: Uuid,
    /// Identifier.
    pub id: Uuid,
    /// Rule.
    pub rule_id: Uuid,
    /// Connector, possibly deleted.
    pub connector_id: Uuid,
    /// `fired` or `resolved`.
    pub kind: String,
    /// Title, one line.
    pub title: String,
    /// Text below the title.
    pub content: String,
    /// Addresses that receive it by e-mail: a JSON array.
    pub recipients: String,
    /// `queued`, `sent` or `dead`.
    pub state: String,
    /// Number of attempts started.
    pub attempts: i64,
    /// Number of attempts that count toward giving up.
    pub failures: i64,
    /// Time of the next attempt.
    pub next_attempt_at: Timestamp,
    /// Error message of the last failed attempt.
    pub last_error: Option<String>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change of state or attempt.
    pub updated_at: Timestamp,
}

macro_rules! delivery_columns {
    () => {
        "org_id, id, rule_id, connector_id, kind, title, content, recipients, state, attempts, failures, next_attempt_at,
         last_error, created_at, updated_at"
    };
}

impl Tx {
    pub(super) async fn insert_alert_deliveries(
        &mut self,
        (org_id, rule_id): (Uuid, Uuid),
        deliveries: &[NewAlertDelivery],
        now: Timestamp,
    ) -> Result<()> {
        on!(self.connection(), |c| {
            for new in deliveries {
                sqlx::query(
                    "INSERT INTO alert_deliveries (org_id, id, rule_id, connector_id, kind, title, content, recipients,
                     state, attempts, failures, next_attempt_at, created_at, updated_at)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'queued', 0, 0, $9, $9, $9)",
                )
                .bind(org_id)
                .bind(new.id)
                .bind(rule_id)
                .bind(new.connector_id)
                .bind(new.kind)
                .bind(storable(&new.title))
                .bind(storable(&new.content))
                .bind(&new.recipients)
                .bind(now)
                .execute(&mut *c)
                .await?;
            }
        });
        Ok(())
    }

    /// Queues a dead message again. Returns `None` unless it is dead.
    pub async fn retry_alert_delivery(
        &mut self,
        org_id: Uuid,
        id: Uuid,
        now: Timestamp,
    ) -> Result<Option<AlertDelivery>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_as(concat!(
                "UPDATE alert_deliveries SET state = 'queued', failures = 0, next_attempt_at = $3, updated_at = $3
                 WHERE org_id = $1 AND id = $2 AND state = 'dead' RETURNING ",
                delivery_columns!()
            ))
            .bind(org_id)
            .bind(id)
            .bind(now)
            .fetch_optional(c)
            .await?
        }))
    }
}

impl Db {
    /// Returns the message with that identifier.
    pub async fn alert_delivery(&self, org_id: Uuid, id: Uuid) -> Result<Option<AlertDelivery>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                delivery_columns!(),
                " FROM alert_deliveries WHERE org_id = $1 AND id = $2"
            ))
            .bind(org_id)
            .bind(id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Lists the messages of a rule, newest first.
    pub async fn alert_deliveries(
        &self,
        org_id: Uuid,
        rule_id: Uuid,
        page: Page,
    ) -> Result<Paged<AlertDelivery>> {
        let rows = on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                delivery_columns!(),
                " FROM alert_deliveries WHERE org_id = $1 AND rule_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4"
            ))
            .bind(org_id)
            .bind(rule_id)
            .bind(page.upper_bound())
            .bind(page.limit_plus_one())
            .fetch_all(pool)
            .await?
        });
        Ok(page.finish(rows, |delivery: &AlertDelivery| delivery.id))
    }

    /// Claims up to `limit` queued messages that are due, of all organizations, longest waiting first. They are leased
    /// until `leased_until`, so that no other replica sends them meanwhile.
    pub async fn claim_due_alert_deliveries(
        &self,
        now: Timestamp,
        leased_until: Timestamp,
        limit: u16,
    ) -> Result<Vec<AlertDelivery>> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query_as(concat!(
                "UPDATE alert_deliveries SET next_attempt_at = $2, attempts = attempts + 1, updated_at = $1
                 WHERE state = 'queued' AND next_attempt_at <= $1 AND id IN
                 (SELECT id FROM alert_deliveries WHERE state = 'queued' AND next_attempt_at <= $1
                  ORDER BY next_attempt_at LIMIT $3) RETURNING ",
                delivery_columns!()
            ))
            .bind(now)
            .bind(leased_until)
            .bind(i64::from(limit))
            .fetch_all(pool)
            .await?
        }))
    }

    /// Records that a message was sent. Returns false when the claim has ended.
    pub async fn complete_alert_delivery(&self, claimed: &AlertDelivery, now: Timestamp) -> Result<bool> {
        self.settle(claimed, "sent", RetryLater { retry_at: now, error: "", counts: false }, now).await
    }

    /// Reschedules a message. Returns false when the claim has ended.
    pub async fn reschedule_alert_delivery(
        &self,
        claimed: &AlertDelivery,
        retry: RetryLater<'_>,
        now: Timestamp,
    ) -> Result<bool> {
        self.settle(claimed, "queued", retry, now).await
    }

    /// Gives up on a message. Returns false when the claim has ended.
    pub async fn fail_alert_delivery(
        &self,
        claimed: &AlertDelivery,
        error: &str,
        now: Timestamp,
    ) -> Result<bool> {
        self.settle(claimed, "dead", RetryLater { retry_at: now, error, counts: true }, now).await
    }

    async fn settle(
        &self,
        claimed: &AlertDelivery,
        state: &str,
        retry: RetryLater<'_>,
        now: Timestamp,
    ) -> Result<bool> {
        let error = (!retry.error.is_empty()).then(|| storable(retry.error));
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "UPDATE alert_deliveries SET state = $4, next_attempt_at = $5, last_error = $6,
                 failures = failures + $7, updated_at = $8
                 WHERE org_id = $1 AND id = $2 AND attempts = $3 AND state = 'queued'",
            )
            .bind(claimed.org_id)
            .bind(claimed.id)
            .bind(claimed.attempts)
            .bind(state)
            .bind(retry.retry_at)
            .bind(error.clone())
            .bind(i64::from(retry.counts))
            .bind(now)
            .execute(pool)
            .await?
            .rows_affected()
                == 1
        }))
    }

    /// Deletes some of an organization's messages before that time and returns how many.
    pub async fn delete_alert_deliveries_before(&self, org_id: Uuid, time: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "DELETE FROM alert_deliveries WHERE org_id = $1 AND id IN
                 (SELECT id FROM alert_deliveries WHERE org_id = $1 AND id < $2 ORDER BY id LIMIT $3)",
            )
            .bind(org_id)
            .bind(crate::id::least_id(time))
            .bind(DELETE_BATCH)
            .execute(pool)
            .await?
            .rows_affected()
        }))
    }
}
