//! Events: what happened, numbered by organisation in the order of commits, each kept in the transaction of what it tells of.

use std::borrow::Cow;

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::journal::pieces;
use crate::name::storable;
use crate::tx::Tx;
use crate::{Db, LogReader, Result, Timestamp, new_id};

const FORGOTTEN_AT_ONCE: i64 = 500;
/// Events that are looked at for one page, so that a filter that few pass holds up nobody.
const REACH: i64 = 10_000;
/// Nothing that was begun is committed so long after another that was begun later.
const LONGEST_COMMIT: i64 = 300 * 1_000_000;

/// The kind of the event that a balance fell below its mark.
pub const CREDITS_LOW: &str = "credits.low";

/// Something that is to be told.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub struct NewEvent {
    /// Its id: see [`crate::new_id`].
    pub id: Uuid,
    /// When it happened.
    pub created_at: Timestamp,
    /// What happened.
    pub kind: Cow<'static, str>,
    /// For which project.
    pub project_id: Option<Uuid>,
    /// Whose call it was.
    pub principal: Option<String>,
    /// What else there is to be told, a JSON object.
    pub payload: String,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Event {
    /// 1 for the organisation's first, one more with every event: the order of commits.
    pub sequence: i64,
    /// Its id.
    pub id: Uuid,
    /// When it happened.
    pub created_at: Timestamp,
    /// What happened.
    pub kind: String,
    /// For which project, which may be gone by now.
    pub project_id: Option<Uuid>,
    /// What else there is to be told, a JSON object.
    pub payload: String,
}

/// Which events; what is `None` does not narrow them.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    /// Of one of these kinds.
    pub kinds: Option<Vec<String>>,
    /// Of one of these projects.
    pub projects: Option<Vec<Uuid>>,
    /// That this one may see; nobody sees what concerns the organisation as a whole who is narrowed so.
    pub reader: Option<LogReader>,
}

/// Events in their order, and how far they reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventPage {
    /// Those that pass the filter, oldest first.
    pub events: Vec<Event>,
    /// The number of the last one that was looked at: where to go on.
    pub reached: i64,
    /// The number of the organisation's last event.
    pub newest: i64,
    /// Whether some after the one that was asked for are forgotten by now.
    pub forgotten: bool,
}

impl NewEvent {
    /// That a balance fell, from the first to the second, below the `mark` at that time; `None` where it did not.
    pub(crate) fn of_fall((before, balance): (i64, i64), mark: i64, now: Timestamp) -> Option<Self> {
        (before >= mark && balance < mark).then(|| Self {
            id: new_id(now),
            created_at: now,
            kind: Cow::Borrowed(CREDITS_LOW),
            project_id: None,
            principal: None,
            payload: format!(r#"{{"balance":{balance},"mark":{mark}}}"#),
        })
    }
}

impl Tx {
    /// Numbers and keeps events of an organisation, whose row is locked from here on.
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
            for piece in pieces(&numbered) {
                let mut query = QueryBuilder::new(
                    "INSERT INTO events (org_id, sequence, id, created_at, kind, project_id, principal, payload) ",
                );
                query.push_values(piece, |mut row, (sequence, event)| {
                    row.push_bind(org_id).push_bind(*sequence).push_bind(event.id);
                    row.push_bind(event.created_at)
                        .push_bind(event.kind.as_ref())
                        .push_bind(event.project_id);
                    row.push_bind(event.principal.as_deref().map(storable));
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
        if let Some(reader) = &self.reader {
            reader.narrow(query);
        }
    }
}

impl Db {
    /// The number of the organisation's last event; 0 before the first.
    pub async fn last_event_sequence(&self, org_id: Uuid) -> Result<i64> {
        let last: Option<i64> = on!(self.reader(), |pool| {
            sqlx::query_scalar("SELECT event_count FROM orgs WHERE id = $1")
                .bind(org_id)
                .fetch_optional(pool)
                .await?
        });
        Ok(last.unwrap_or(0))
    }

    /// At most `limit` events after number `after` that pass the filter, oldest first. Few are looked at for it: there
    /// may be less, or none, and yet more to come after [`EventPage::reached`].
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
            query.push(" AND sequence <= ").push_bind(from.saturating_add(REACH));
            filter.narrow(&mut query);
            query.push(" ORDER BY sequence LIMIT ").push_bind(i64::from(limit));
            let events: Vec<Event> = query.build_query_as().persistent(false).fetch_all(c).await?;
            (events, newest, oldest)
        });
        tx.commit().await?;
        let from = after.max(oldest - 1);
        let whole = events.len() == usize::from(limit);
        let last = events.last().filter(|_| whole).map(|event| event.sequence);
        let reached = last.unwrap_or_else(|| from.saturating_add(REACH).min(newest).max(from));
        Ok(EventPage { events, reached, newest, forgotten: from > after })
    }

    /// The number of the last event before everything that happened at that time or later.
    pub async fn event_before(&self, org_id: Uuid, time: Timestamp) -> Result<i64> {
        let first: Option<i64> = on!(self.reader(), |pool| {
            sqlx::query_scalar(
                "SELECT MIN(sequence) FROM events WHERE org_id = $1 AND created_at >= $2 AND created_at <= $3 +
                 (SELECT MIN(created_at) FROM events WHERE org_id = $1 AND created_at >= $2)",
            )
            .bind(org_id)
            .bind(time)
            .bind(LONGEST_COMMIT)
            .fetch_one(pool)
            .await?
        });
        match first {
            Some(first) => Ok(first - 1),
            None => self.last_event_sequence(org_id).await,
        }
    }

    /// Forgets some of an organisation's oldest events that happened before that time; answers how many. Those that are
    /// kept have no gap. A few at a time: others write in between.
    pub async fn forget_events_before(&self, org_id: Uuid, time: Timestamp) -> Result<u64> {
        let oldest: Vec<(i64, Timestamp)> = on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT sequence, created_at FROM events WHERE org_id = $1 ORDER BY sequence LIMIT $2",
            )
            .bind(org_id)
            .bind(FORGOTTEN_AT_ONCE)
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
