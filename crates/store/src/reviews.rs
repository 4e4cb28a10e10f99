//! Reviews: what waits for somebody to approve or deny it, once.

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::id::least_id;
use crate::name::storable;
use crate::tx::Tx;
use crate::{Db, Log, LogReader, NewEvent, Page, Paged, Result, Timestamp};

const FORGOTTEN_AT_ONCE: i64 = 500;

/// A review that a decision asks for. Whose it is, its row tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewReview {
    /// Its id: see [`crate::new_id`].
    pub id: Uuid,
    /// From when on it counts as denied.
    pub expires_at: Timestamp,
}

/// How a review stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewStatus {
    /// Nobody has decided.
    Pending,
    /// The text may go on.
    Approved,
    /// It may not: somebody decided so, or nobody in time.
    Denied,
}

/// What somebody decided of a review.
#[derive(Clone, Copy, Debug)]
pub struct Ruling<'a> {
    /// Whether the text may go on.
    pub approves: bool,
    /// Who, as a log row names them.
    pub by: &'a str,
    /// Why, in their words.
    pub note: Option<&'a str>,
    /// What is told of it.
    pub event: Option<&'a NewEvent>,
}

/// A review.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Review {
    /// Its id.
    pub id: Uuid,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// From when on it counts as denied.
    pub expires_at: Timestamp,
    /// The row of the decision that asked, which may be gone by now.
    pub log_id: Uuid,
    /// The project, which may be gone by now.
    pub project_id: Option<Uuid>,
    /// Who called.
    pub principal: String,
    /// `approve` or `deny`.
    pub decision: Option<String>,
    /// When.
    pub decided_at: Option<Timestamp>,
    /// By whom.
    pub decided_by: Option<String>,
    /// Why.
    pub note: Option<String>,
}

impl Review {
    /// How it stands at that time.
    pub fn status(&self, now: Timestamp) -> ReviewStatus {
        match self.decision.as_deref() {
            Some("approve") => ReviewStatus::Approved,
            None if self.expires_at > now => ReviewStatus::Pending,
            _ => ReviewStatus::Denied,
        }
    }

    /// Whether nobody decided in time.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.decision.is_none() && self.expires_at <= now
    }
}

/// Which reviews; what is `None` does not narrow them.
#[derive(Clone, Debug, Default)]
pub struct ReviewFilter {
    /// That stand so.
    pub status: Option<ReviewStatus>,
    /// That this one may see.
    pub reader: Option<LogReader>,
}

/// A review with whose it is.
#[derive(sqlx::FromRow)]
struct OfOrg {
    org_id: Uuid,
    #[sqlx(flatten)]
    review: Review,
}

const COLUMNS: &str =
    "id, created_at, expires_at, log_id, project_id, principal, decision, decided_at, decided_by, note";

impl Tx {
    pub(crate) async fn insert_review(&mut self, log: &Log, review: &NewReview) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO reviews (org_id, id, created_at, expires_at, log_id, project_id, principal)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
            )
            .bind(log.org_id)
            .bind(review.id)
            .bind(log.created_at)
            .bind(review.expires_at)
            .bind(log.id)
            .bind(log.project_id)
            .bind(storable(&log.principal))
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
        if let Some(reader) = &self.reader {
            reader.narrow(query);
        }
    }
}

impl Db {
    /// The review with that id.
    pub async fn review(&self, org_id: Uuid, id: Uuid) -> Result<Option<Review>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM reviews WHERE org_id = ").push_bind(org_id);
            query.push(" AND id = ").push_bind(id);
            query.build_query_as().fetch_optional(pool).await?
        }))
    }

    /// A page of reviews, newest first.
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
            query.push(" AND id < ").push_bind(page.before());
            filter.narrow(&mut query, now);
            query.push(" ORDER BY id DESC LIMIT ").push_bind(page.reach());
            query.build_query_as().persistent(false).fetch_all(pool).await?
        });
        Ok(page.cut(rows, |review: &Review| review.id))
    }

    /// Decides a review; `None` unless it is pending: of several at once, one decides.
    pub async fn decide_review(
        &self,
        org_id: Uuid,
        id: Uuid,
        ruling: Ruling<'_>,
        now: Timestamp,
    ) -> Result<Option<Review>> {
        let mut tx = self.write().await?;
        let decided: Option<Review> = on!(tx.connection(), |c| {
            let mut query = QueryBuilder::new("UPDATE reviews SET decision = ");
            query.push_bind(if ruling.approves { "approve" } else { "deny" });
            query.push(", decided_at = ").push_bind(now);
            query.push(", decided_by = ").push_bind(storable(ruling.by).into_owned());
            query.push(", note = ").push_bind(ruling.note.map(|note| storable(note).into_owned()));
            query.push(" WHERE org_id = ").push_bind(org_id).push(" AND id = ").push_bind(id);
            query.push(" AND decision IS NULL AND expires_at > ").push_bind(now);
            query.push(" RETURNING ").push(COLUMNS);
            query.build_query_as().fetch_optional(c).await?
        });
        if let Some(event) = ruling.event.filter(|_| decided.is_some()) {
            tx.insert_events(org_id, std::slice::from_ref(event)).await?;
        }
        tx.commit().await?;
        Ok(decided)
    }

    /// Reviews of every organisation that nobody decided in time and of which that is not told yet, at most `limit`, with
    /// their organisations, those that are over longest first.
    pub async fn untold_expiries(&self, now: Timestamp, limit: u16) -> Result<Vec<(Uuid, Review)>> {
        let rows: Vec<OfOrg> = on!(self.reader(), |pool| {
            let mut query = QueryBuilder::new("SELECT org_id, ");
            query.push(COLUMNS).push(" FROM reviews WHERE decision IS NULL AND NOT expiry_told");
            query.push(" AND expires_at <= ").push_bind(now);
            query.push(" ORDER BY expires_at LIMIT ").push_bind(i64::from(limit));
            query.build_query_as().fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(|row| (row.org_id, row.review)).collect())
    }

    /// Tells that nobody decided a review in time; false when that is told already, or not so.
    pub async fn tell_expiry(
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

    /// Forgets some of an organisation's reviews from before that time that nobody waits for any more; answers how many.
    /// One that nobody decided stays until that is told. A few at a time: others write in between.
    pub async fn forget_reviews_before(&self, org_id: Uuid, time: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "DELETE FROM reviews WHERE org_id = $1 AND id IN (
                 SELECT id FROM reviews WHERE org_id = $1 AND id < $2
                 AND (decision IS NOT NULL OR expiry_told) ORDER BY id LIMIT $3)",
            )
            .bind(org_id)
            .bind(least_id(time))
            .bind(FORGOTTEN_AT_ONCE)
            .execute(pool)
            .await?
            .rows_affected()
        }))
    }
}
