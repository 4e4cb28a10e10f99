//! The delivery queue of event subscriptions.
//!
//! A claim is a lease: its holder alone delivers until it ends, so that events arrive in order. A position that a user
//! sets meanwhile takes precedence over the one that the claim reached.

use super::subscriptions::subscription_columns;
use crate::clock::MAX_CLOCK_SKEW;
use crate::name::storable;
use crate::{Db, EventSubscription, Result, Timestamp};

/// Progress made under a claim.
#[derive(Clone, Copy, Debug)]
pub struct DeliveryProgress<'a> {
    /// Sequence of the last event that is done.
    pub position: i64,
    /// True if an event was delivered.
    pub delivered: bool,
    /// Error that stopped the delivery; `None` for success.
    pub failure: Option<DeliveryFailure<'a>>,
}

/// A failed delivery and its retry time.
#[derive(Clone, Copy, Debug)]
pub struct DeliveryFailure<'a> {
    /// Time of the next attempt.
    pub retry_at: Timestamp,
    /// Error message.
    pub error: &'a str,
    /// True if the failure lengthens the retry interval.
    pub counts: bool,
}

impl Db {
    /// Claims up to `limit` enabled subscriptions that are due and have undelivered events, of all organizations,
    /// longest waiting first. They are leased until `leased_until`, so that no other replica delivers to them
    /// meanwhile.
    pub async fn claim_due_subscriptions(
        &self,
        now: Timestamp,
        leased_until: Timestamp,
        limit: u16,
    ) -> Result<Vec<EventSubscription>> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query_as(concat!(
                "UPDATE event_subscriptions SET leased_until = $2, claims = claims + 1
                 WHERE enabled AND next_attempt_at <= $1 AND (leased_until <= $1 OR leased_until > $4) AND id IN
                 (SELECT due.id FROM event_subscriptions AS due JOIN orgs ON orgs.id = due.org_id
                  WHERE due.enabled AND due.next_attempt_at <= $1 AND (due.leased_until <= $1 OR due.leased_until > $4)
                  AND due.position < orgs.event_count ORDER BY due.next_attempt_at, due.id LIMIT $3)
                 RETURNING ",
                subscription_columns!()
            ))
            .bind(now)
            .bind(leased_until)
            .bind(i64::from(limit))
            .bind(leased_until + MAX_CLOCK_SKEW)
            .fetch_all(pool)
            .await?
        }))
    }

    /// Records the outcome of a claim and ends it. Returns false when the claim had expired and another one holds.
    pub async fn record_delivery(
        &self,
        claimed: &EventSubscription,
        progress: DeliveryProgress<'_>,
        now: Timestamp,
    ) -> Result<bool> {
        let failure = progress.failure;
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "UPDATE event_subscriptions SET leased_until = $4,
                 position = CASE WHEN replays = $5 THEN $6 ELSE position END,
                 last_delivered_at = CASE WHEN $7 THEN $4 ELSE last_delivered_at END,
                 next_attempt_at = CASE WHEN replays = $5 AND version = $8 THEN $9 ELSE next_attempt_at END,
                 failures = CASE WHEN $10 THEN (CASE WHEN $7 THEN 0 ELSE failures END) + $11 ELSE 0 END,
                 failing_since = CASE WHEN NOT $10 THEN NULL WHEN $7 THEN $4 ELSE COALESCE(failing_since, $4) END,
                 last_error = $12
                 WHERE org_id = $1 AND id = $2 AND claims = $3",
            )
            .bind(claimed.org_id)
            .bind(claimed.id)
            .bind(claimed.claims)
            .bind(now)
            .bind(claimed.replays)
            .bind(progress.position)
            .bind(progress.delivered)
            .bind(claimed.version)
            .bind(failure.map_or(now, |failure| failure.retry_at))
            .bind(failure.is_some())
            .bind(failure.map_or(0, |failure| i64::from(failure.counts)))
            .bind(failure.map(|failure| storable(failure.error)))
            .execute(pool)
            .await?
            .rows_affected()
                == 1
        }))
    }
}
