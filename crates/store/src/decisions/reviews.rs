//! Reviews: evaluated texts that a reviewer approves or denies once.

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::db::Tx;
use crate::id::least_id;
use crate::name::storable;
use crate::{Db, LogEntry, LogScope, NewEvent, Page, Paged, Result, Timestamp};

const DELETE_BATCH: i64 = 500;

/// A review to create. Its principal is in the log entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewReview {
    /// Identifier: see [`crate::new_id`].
    pub id: Uuid,
    /// Time from which it counts as denied.
    pub expires_at: Timestamp,
}

/// Status of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewStatus {
    /// Not decided yet.
    Pending,
    /// Approved: the text may proceed.
    Approved,
    /// Denied, by a reviewer or by timeout.
    Denied,
}

/// A reviewer's decision.
#[derive(Clone, Copy, Debug)]
pub struct ReviewDecision<'a> {
    /// True if the text may proceed.
    pub approves: bool,
    /// Reviewer, as named in log entries.
    pub by: &'a str,
    /// Reason given by the reviewer.
    pub note: Option<&'a str>,
    /// Event to emit.
    pub event: Option<&'a NewEvent>,
}

/// A review.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Review {
    /// Identifier.
    pub id: Uuid,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time from which it counts as denied.
    pub expires_at: Timestamp,
    /// Log entry of the decision, possibly deleted.
    pub log_id: Uuid,
    /// Project, possibly deleted.
    pub project_id: Option<Uuid>,
    /// Caller.
    pub principal: String,
    /// User behind the call, as in [`LogEntry::user_id`].
    pub user_id: Option<Uuid>,
    /// `approve` or `deny`.
    pub decision: Option<String>,
    /// Time of the decision.
    pub decided_at: Option<Timestamp>,
    /// Reviewer.
    pub decided_by: Option<String>,
    /// Reason.
    pub note: Option<String>,
}

impl Review {
    /// Returns the status at that time.
    pub fn status(&self, now: Timestamp) -> ReviewStatus {
        match self.decision.as_deref() {
            Some("approve") => ReviewStatus::Approved,
            None if self.expires_at > now => ReviewStatus::Pending,
            _ => ReviewStatus::Denied,
        }
    }

    /// Returns whether it ended without a decision.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.decision.is_none() && self.expires_at <= now
    }
}

/// Filter for reviews. `None` does not restrict.
#[derive(Clone, Debug, Default)]
pub struct ReviewFilter {
    /// Only this status.
    pub status: Option<ReviewStatus>,
    /// Only what this scope may see.
    pub scope: Option<LogScope>,
}

/// A review with its organization.
#[derive(sqlx::FromRow)]
struct OfOrg {
    org_id: Uuid,
    #[sqlx(flatten)]
    review: Review,
}

const COLUMNS: &str = "id, created_at, expires_at, log_id, project_id, principal, user_id, decision, decided_at, decided_by, note";

impl Tx {
    /// Decides a pending review; `None` otherwise. Of concurrent decisions, one succeeds.
    pub async fn decide_review(
        &mut self,
        org_id: Uuid,
        id: Uuid,
        decision: ReviewDecision<'_>,
        now: Timestamp,
    ) -> Result<Option<Review>> {
        let decided: Option<Review> = on!(self.connection(), |c| {
            let mut query = QueryBuilder::new("UPDATE reviews SET decision = ");
            query.push_bind(if decision.approves { "approve" } else { "deny" });
            query.push(", decided_at = ").push_bind(now);
            query.push(", decided_by = ").push_bind(storable(decision.by).into_owned());
            query.push(", note = ").push_bind(decision.note.map(|note| storable(note).into_owned()));
            query.push(" WHERE org_id = ").push_bind(org_id).push(" AND id = ").push_bind(id);
            query.push(" AND decision IS NULL AND expires_at > ").push_bind(now);
            query.push(" RETURNING ").push(COLUMNS);
            query.build_query_as().fetch_optional(c).await?
        });
        if let Some(event) = decision.event.filter(|_| decided.is_some()) {
            self.insert_events(org_id, std::slice::from_ref(event)).await?;
        }
        Ok(decided)
    }

    pub(crate) async fn insert_review(&mut self, log: &LogEntry, review: &NewReview) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO reviews (org_id, id, created_at, expires_at, log_id, project_id, principal, user_id)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            )
            .bind(log.org_id)
            .bind(review.id)
            .bind(log.created_at)
            .bind(review.expires_at)
            .bind(log.id)
            .bind(log.project_id)
            .bind(storable(&log.principal))
            .bind(log.user_id)
            .execute(c)
            .await?;
        });
        Ok(())
    }
}

impl ReviewFilter {
    fn narrow<DB: Database>(&self, query: &mut QueryBuilder<DB>, now: Timestamp)
    where
        for<'q> Timestamp: Encode<'q, DB> + Type<DB>,
        for<'q> Uuid: Encode<'q, DB> + Type<DB>,
        for<'q> String: Encode<'q, DB> + Type<DB>,
    {
        match self.status {
            None => {}
            Some(ReviewStatus::Pending) => {
                query.push(" AND decision IS NULL AND expires_at > ").push_bind(now);
            }
            Some(ReviewStatus::Approved) => {
                query.push(" AND decision = 'approve'");
            }
            Some(ReviewStatus::Denied) => {
                query.push(" AND (decision = 'deny' OR (decision IS NULL AND expires_at <= ");
                query.push_bind(now).push("))");
            }
        }
        if let Some(scope) = &self.scope {
            scope.narrow(query);
        }
    }
}

impl Db {
    /// Returns the review with that identifier.
    pub async fn review(&self, org_id: Uuid, id: Uuid) -> Result<Option<Review>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM reviews WHERE org_id = ").push_bind(org_id);
            query.push(" AND id = ").push_bind(id);
            query.build_query_as().fetch_optional(pool).await?
        }))
    }

    /// Lists reviews, newest first.
    pub async fn reviews(
        &self,
        org_id: Uuid,
        filter: &ReviewFilter,
        page: Page,
        now: Timestamp,
    ) -> Result<Paged<Review>> {
        let rows = on!(self.reader(), |pool| {
            let mut query = QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM reviews WHERE org_id = ").push_bind(org_id);
            query.push(" AND id < ").push_bind(page.upper_bound());
            filter.narrow(&mut query, now);
            query.push(" ORDER BY id DESC LIMIT ").push_bind(page.limit_plus_one());
            query.build_query_as().persistent(false).fetch_all(pool).await?
        });
        Ok(page.finish(rows, |review: &Review| review.id))
    }

    /// Returns up to `limit` expired reviews of all organizations whose expiry is not reported yet, oldest expiry
    /// first.
    pub async fn unreported_expiries(&self, now: Timestamp, limit: u16) -> Result<Vec<(Uuid, Review)>> {
        let rows: Vec<OfOrg> = on!(self.reader(), |pool| {
            let mut query = QueryBuilder::new("SELECT org_id, ");
            query.push(COLUMNS).push(" FROM reviews WHERE decision IS NULL AND NOT expiry_told");
            query.push(" AND expires_at <= ").push_bind(now);
            query.push(" ORDER BY expires_at LIMIT ").push_bind(i64::from(limit));
            query.build_query_as().fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(|row| (row.org_id, row.review)).collect())
    }

    /// Reports that a review has expired. Returns false when that is reported already, or not the case.
    pub async fn record_expiry(
        &self,
        org_id: Uuid,
        id: Uuid,
        event: &NewEvent,
        now: Timestamp,
    ) -> Result<bool> {
        let mut tx = self.write().await?;
        let first = on!(tx.connection(), |c| {
            sqlx::query(
                "UPDATE reviews SET expiry_told = TRUE WHERE org_id = $1 AND id = $2 AND decision IS NULL
                 AND NOT expiry_told AND expires_at <= $3",
            )
            .bind(org_id)
            .bind(id)
            .bind(now)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        });
        if first {
            tx.insert_events(org_id, std::slice::from_ref(event)).await?;
        }
        tx.commit().await?;
        Ok(first)
    }

    /// Deletes some of an organization's finished reviews before that time and returns how many. An expired one stays
    /// until that is reported. Works in small batches, so that others can write in between.
    pub async fn delete_reviews_before(&self, org_id: Uuid, time: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "DELETE FROM reviews WHERE org_id = $1 AND id IN (
                 SELECT id FROM reviews WHERE org_id = $1 AND id < $2
                 AND (decision IS NOT NULL OR expiry_told) ORDER BY id LIMIT $3)",
            )
            .bind(org_id)
            .bind(least_id(time))
            .bind(DELETE_BATCH)
            .execute(pool)
            .await?
            .rows_affected()
        }))
    }
}
