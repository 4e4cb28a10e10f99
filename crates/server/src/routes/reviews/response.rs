//! The review object of responses, and its visibility.

use std::collections::HashMap;

use guardengine_api_types::LogRecord;
use guardengine_auth::{Principal, project_access::log_scope};
use guardengine_store::{Review, ReviewStatus, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{app::Tenants, http::Error};

/// A review of an escalated request.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReviewRecord {
    review_id: Uuid,
    /// `pending`, `approved` or `denied`.
    #[schema(value_type = guardengine_api_types::choices::ReviewStatus)]
    status: &'static str,
    /// True if the review was denied because nobody decided in time.
    expired: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When an undecided review is denied.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    decided_at: Option<Timestamp>,
    /// `user:NAME` or `api_key:ID`.
    decided_by: Option<String>,
    /// Note of the reviewer.
    note: Option<String>,
    log_id: Uuid,
    /// Log entry of the decision; null after it has been deleted.
    log: Option<LogRecord>,
}

/// Statuses by name.
pub const STATUSES: [(&str, ReviewStatus); 3] = [
    ("pending", ReviewStatus::Pending),
    ("approved", ReviewStatus::Approved),
    ("denied", ReviewStatus::Denied),
];

/// Returns the status of a review by name.
pub fn status(review: &Review, now: Timestamp) -> &'static str {
    let current = review.status(now);
    STATUSES.iter().find(|(_, status)| *status == current).map_or("denied", |(name, _)| name)
}

impl ReviewRecord {
    fn of(review: Review, log: Option<LogRecord>, now: Timestamp) -> Self {
        Self {
            review_id: review.id,
            status: status(&review, now),
            expired: review.is_expired(now),
            created_at: review.created_at,
            expires_at: review.expires_at,
            decided_at: review.decided_at,
            decided_by: review.decided_by,
            note: review.note,
            log_id: review.log_id,
            log,
        }
    }
}

/// Builds records of reviews with their log entries.
pub async fn records(
    tenants: &Tenants,
    org_id: Uuid,
    reviews: Vec<Review>,
) -> Result<Vec<ReviewRecord>, Error> {
    let ids: Vec<_> = reviews.iter().map(|review| review.log_id).collect();
    let logs = tenants.db.logs_by_id(org_id, &ids).await?;
    let mut logs: HashMap<_, _> = logs.into_iter().map(|log| (log.id, LogRecord::from(log))).collect();
    let now = tenants.clock.now();
    Ok(reviews
        .into_iter()
        .map(|review| {
            let log = logs.remove(&review.log_id);
            ReviewRecord::of(review, log, now)
        })
        .collect())
}

/// Builds the record of a review with its log entry.
pub async fn record(tenants: &Tenants, org_id: Uuid, review: Review) -> Result<ReviewRecord, Error> {
    let log = tenants.db.log(org_id, review.log_id).await?;
    Ok(ReviewRecord::of(review, log.map(LogRecord::from), tenants.clock.now()))
}

/// Returns a review whose log entry the caller may see, or 404.
pub async fn seen_by(tenants: &Tenants, caller: &Principal, id: Uuid) -> Result<Review, Error> {
    let not_found = || Error::not_found("review");
    let review = tenants.db.review(caller.org_id, id).await?.ok_or_else(not_found)?;
    let reader = log_scope(&tenants.db, caller).await?;
    let may_see = reader.is_none_or(|reader| reader.includes_call(review.project_id, review.user_id));
    if may_see { Ok(review) } else { Err(not_found()) }
}
