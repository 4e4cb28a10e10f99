//! Events, numbered per organization in order of commit, each written in the transaction that it reports.

mod deliveries;
mod subscriptions;

use std::borrow::Cow;

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::db::{Tx, chunks};
use crate::name::storable;
use crate::{Db, LogScope, Result, Timestamp, new_id};

pub use deliveries::{DeliveryFailure, DeliveryProgress};
pub use subscriptions::{EventSubscription, SubscriptionFields};

const DELETE_BATCH: i64 = 500;
/// Events searched for one page, so that a selective filter stays fast.
const MAX_EVENTS_SEARCHED: i64 = 10_000;
/// Longest time between two commits whose transactions began in the opposite order, in microseconds.
const MAX_COMMIT_SKEW: i64 = 300 * 1_000_000;

/// Type of the event for a balance below its warning threshold.
pub const CREDITS_LOW: &str = "credits.low";

/// An event to emit.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub struct NewEvent {
    /// Identifier: see [`crate::new_id`].
    pub id: Uuid,
    /// Time of the event.
    pub created_at: Timestamp,
    /// Event type.
    pub kind: Cow<'static, str>,
    /// Project.
    pub project_id: Option<Uuid>,
    /// Principal that made the call.
    pub principal: Option<String>,
    /// User behind the call, as in [`LogEntry::user_id`](crate::LogEntry::user_id).
    pub user_id: Option<Uuid>,
    /// Event payload: a JSON object whose fields depend on the type.
    pub payload: String,
}

/// A stored event.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Event {
    /// Position among the organization's events: 1 for the first, in order of commit.
    pub sequence: i64,
    /// Identifier.
    pub id: Uuid,
    /// Time of the event.
    pub created_at: Timestamp,
    /// Event type.
    pub kind: String,
    /// Project, possibly deleted.
    pub project_id: Option<Uuid>,
    /// Event payload: a JSON object whose fields depend on the type.
    pub payload: String,
}

/// Filter for events. `None` does not restrict.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    /// Only these types.
    pub kinds: Option<Vec<String>>,
    /// Only these projects.
    pub projects: Option<Vec<Uuid>>,
    /// Only what this scope may see. It excludes events without project or user.
    pub scope: Option<LogScope>,
}

/// A page of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventPage {
    /// Matching events, oldest first.
    pub events: Vec<Event>,
    /// Sequence of the last event searched: continue after it.
    pub reached: i64,
    /// Sequence of the organization's last event.
    pub newest: i64,
    /// True if events after the requested position have been deleted.
    pub has_gap: bool,
}

impl NewEvent {
    /// The event for a balance that drops from the first value to the second, across the `threshold`; `None` if
    /// it does not cross it.
    pub(crate) fn for_low_balance(
        (before, balance): (i64, i64),
        threshold: i64,
        now: Timestamp,
    ) -> Option<Self> {
        (before >= threshold && balance < threshold).then(|| Self {
            id: new_id(now),
            created_at: now,
            kind: Cow::Borrowed(CREDITS_LOW),
            project_id: None,
            principal: None,
            user_id: None,
            payload: format!(r#"{{"balance":{balance},"mark":{threshold}}}"#),
        })
    }
}

impl Tx {
    /// Numbers and writes an organization's events and locks its row until the transaction ends.
    pub(crate) async fn insert_events(&mut self, org_id: Uuid, events: &[NewEvent]) -> Result<()> {
        if events.is_empty() {
            return Ok(());
        }
        on!(self.connection(), |c| {
            let last: i64 = sqlx::query_scalar(
                "UPDATE orgs SET event_count = event_count + $2 WHERE id = $1 RETURNING event_count",
            )
            .bind(org_id)
            .bind(events.len() as i64)
            .fetch_one(&mut *c)
            .await?;
            let numbered: Vec<_> = (last + 1 - events.len() as i64..).zip(events).collect();
            for chunk in chunks(&numbered) {
                let mut query = QueryBuilder::new(
                    "INSERT INTO events
                     (org_id, sequence, id, created_at, kind, project_id, principal, user_id, payload) ",
                );
                query.push_values(chunk, |mut row, (sequence, event)| {
                    row.push_bind(org_id).push_bind(*sequence).push_bind(event.id);
                    row.push_bind(event.created_at)
                        .push_bind(event.kind.as_ref())
                        .push_bind(event.project_id);
                    row.push_bind(event.principal.as_deref().map(storable)).push_bind(event.user_id);
                    row.push_bind(&event.payload);
                });
                query.build().execute(&mut *c).await?;
            }
        });
        Ok(())
    }
}

impl EventFilter {
    fn narrow<DB: Database>(&self, query: &mut QueryBuilder<DB>)
    where
        for<'q> Uuid: Encode<'q, DB> + Type<DB>,
        for<'q> String: Encode<'q, DB> + Type<DB>,
    {
        if let Some(kinds) = &self.kinds {
            query.push(" AND kind IN (NULL");
            for kind in kinds {
                query.push(", ").push_bind(kind.clone());
            }
            query.push(")");
        }
        if let Some(projects) = &self.projects {
            query.push(" AND project_id IN (NULL");
            for project in projects {
                query.push(", ").push_bind(*project);
            }
            query.push(")");
        }
        if let Some(scope) = &self.scope {
            scope.narrow(query);
        }
    }
}

impl Db {
    /// Returns the sequence of the organization's last event; 0 before the first.
    pub async fn last_event_sequence(&self, org_id: Uuid) -> Result<i64> {
        let last: Option<i64> = on!(self.reader(), |pool| {
            sqlx::query_scalar("SELECT event_count FROM orgs WHERE id = $1")
                .bind(org_id)
                .fetch_optional(pool)
                .await?
        });
        Ok(last.unwrap_or(0))
    }

    /// Returns up to `limit` matching events after sequence `after`, oldest first. Each call searches a bounded
    /// number: a page may be short or empty while more follow after [`EventPage::reached`].
    pub async fn events_after(
        &self,
        org_id: Uuid,
        filter: &EventFilter,
        after: i64,
        limit: u16,
    ) -> Result<EventPage> {
        let mut tx = self.snapshot().await?;
        let (events, newest, oldest) = on!(tx.connection(), |c| {
            let newest: Option<i64> = sqlx::query_scalar("SELECT event_count FROM orgs WHERE id = $1")
                .bind(org_id)
                .fetch_optional(&mut *c)
                .await?;
            let oldest: Option<i64> =
                sqlx::query_scalar("SELECT MIN(sequence) FROM events WHERE org_id = $1")
                    .bind(org_id)
                    .fetch_one(&mut *c)
                    .await?;
            let newest = newest.unwrap_or(0);
            let oldest = oldest.unwrap_or(newest + 1);
            let from = after.max(oldest - 1);
            let mut query = QueryBuilder::new(
                "SELECT sequence, id, created_at, kind, project_id, payload FROM events WHERE org_id = ",
            );
            query.push_bind(org_id).push(" AND sequence > ").push_bind(from);
            query.push(" AND sequence <= ").push_bind(from.saturating_add(MAX_EVENTS_SEARCHED));
            filter.narrow(&mut query);
            query.push(" ORDER BY sequence LIMIT ").push_bind(i64::from(limit));
            let events: Vec<Event> = query.build_query_as().persistent(false).fetch_all(c).await?;
            (events, newest, oldest)
        });
        tx.commit().await?;
        let from = after.max(oldest - 1);
        let whole = events.len() == usize::from(limit);
        let last = events.last().filter(|_| whole).map(|event| event.sequence);
        let reached = last.unwrap_or_else(|| from.saturating_add(MAX_EVENTS_SEARCHED).min(newest).max(from));
        Ok(EventPage { events, reached, newest, has_gap: from > after })
    }

    /// Returns the sequence of the last event before all events from that time on.
    pub async fn event_before(&self, org_id: Uuid, time: Timestamp) -> Result<i64> {
        let first: Option<i64> = on!(self.reader(), |pool| {
            sqlx::query_scalar(
                "SELECT MIN(sequence) FROM events WHERE org_id = $1 AND created_at >= $2 AND created_at <= $3 +
                 (SELECT MIN(created_at) FROM events WHERE org_id = $1 AND created_at >= $2)",
            )
            .bind(org_id)
            .bind(time)
            .bind(MAX_COMMIT_SKEW)
            .fetch_one(pool)
            .await?
        });
        match first {
            Some(first) => Ok(first - 1),
            None => self.last_event_sequence(org_id).await,
        }
    }

    /// Deletes some of an organization's oldest events before that time and returns how many. The rest has no gap.
    /// Works in small batches, so that others can write in between.
    pub async fn delete_events_before(&self, org_id: Uuid, time: Timestamp) -> Result<u64> {
        let oldest: Vec<(i64, Timestamp)> = on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT sequence, created_at FROM events WHERE org_id = $1 ORDER BY sequence LIMIT $2",
            )
            .bind(org_id)
            .bind(DELETE_BATCH)
            .fetch_all(pool)
            .await?
        });
        let old = oldest.iter().take_while(|(_, created_at)| *created_at < time).last();
        let Some((last, _)) = old else { return Ok(0) };
        Ok(on!(self.writer(), |pool| {
            sqlx::query("DELETE FROM events WHERE org_id = $1 AND sequence <= $2")
                .bind(org_id)
                .bind(last)
                .execute(pool)
                .await?
                .rows_affected()
        }))
    }
}
