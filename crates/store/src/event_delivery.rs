//! The queue of subscriptions: each claimed by one replica at a time, moved on, put off.
//!
//! A claim is a lease: whoever holds it delivers until then, alone, so that events arrive in their order. A position that
//! somebody set meanwhile stands above the one that the claim reached.

use crate::event_subscriptions::subscription_columns;
use crate::name::storable;
use crate::{Db, EventSubscription, Result, Timestamp};

/// What became of a claim.
#[derive(Clone, Copy, Debug)]
pub struct Delivered<'a> {
    /// The number of the last event that is done with.
    pub position: i64,
    /// Whether an event arrived.
    pub arrived: bool,
    /// Why it went no further; `None` where nothing stood in the way.
    pub failed: Option<Undelivered<'a>>,
}

/// Why a subscription is left alone for now.
#[derive(Clone, Copy, Debug)]
pub struct Undelivered<'a> {
    /// Until when.
    pub until: Timestamp,
    /// Why, for people.
    pub error: &'a str,
    /// Whether that counts towards waiting longer.
    pub counts: bool,
}

impl Db {
    /// Enabled subscriptions of every organisation that have events before them and are due, at most `limit`, those that
    /// wait longest first. They are leased until `leased_until`, so that no other replica tells them meanwhile.
    pub async fn claim_due_subscriptions(
        &self,
        now: Timestamp,
        leased_until: Timestamp,
        limit: u16,
    ) -> Result<Vec<EventSubscription>> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query_as(concat!(
                "UPDATE event_subscriptions SET leased_until = $2, claims = claims + 1
                 WHERE enabled AND next_attempt_at <= $1 AND leased_until <= $1 AND id IN
                 (SELECT due.id FROM event_subscriptions AS due JOIN orgs ON orgs.id = due.org_id
                  WHERE due.enabled AND due.next_attempt_at <= $1 AND due.leased_until <= $1
                  AND due.position < orgs.event_count ORDER BY due.next_attempt_at, due.id LIMIT $3)
                 RETURNING ",
                subscription_columns!()
            ))
            .bind(now)
            .bind(leased_until)
            .bind(i64::from(limit))
            .fetch_all(pool)
            .await?
        }))
    }

    /// Keeps what became of a claim, and ends it; false when it was over, and another one holds.
    pub async fn keep_delivery(
        &self,
        claimed: &EventSubscription,
        delivered: Delivered<'_>,
        now: Timestamp,
    ) -> Result<bool> {
        let failed = delivered.failed;
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
            .bind(delivered.position)
            .bind(delivered.arrived)
            .bind(claimed.version)
            .bind(failed.map_or(now, |failed| failed.until))
            .bind(failed.is_some())
            .bind(failed.map_or(0, |failed| i64::from(failed.counts)))
            .bind(failed.map(|failed| storable(failed.error)))
            .execute(pool)
            .await?
            .rows_affected()
                == 1
        }))
    }
}
