use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, permission};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_integrations::events;
use guardengine_store::ReviewDecision;
use serde_json::json;
use utoipa::ToSchema;

use super::response::{ReviewRecord, record, seen_by};
use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Error, FromFields, Json, PathId},
};

const MAX_NOTE_LENGTH: usize = 2_000;
const DECISIONS: [(&str, bool); 2] = [("approve", true), ("deny", false)];

/// Decision of a reviewer.
#[derive(Debug, ToSchema)]
#[schema(as = ReviewDecision, example = json!({ "decision": "approve", "note": "A known customer." }))]
pub struct DecideReviewRequest {
    /// `approve` or `deny`.
    #[schema(value_type = guardengine_api_types::choices::Verdict)]
    decision: bool,
    /// Note, visible to those who may see reviews.
    #[schema(max_length = 2000)]
    note: Option<String>,
}

impl FromFields for DecideReviewRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let decision = fields.choice("decision", &DECISIONS)?;
        Ok(Self {
            decision: decision.ok_or_else(|| FieldError::required("decision"))?,
            note: fields.short_string("note", MAX_NOTE_LENGTH)?.map(str::to_owned),
        })
    }
}

/// Decide a review
///
/// A review is decided once, before it expires.
#[utoipa::path(
    post, path = "/api/reviews/{review_id}", tag = "reviews", operation_id = "reviews_decide",
    params(("review_id" = uuid::Uuid, Path, description = "Review identifier")),
    request_body = DecideReviewRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The decided review", body = ReviewRecord),
        (status = 404, description = "Review not found, or not visible to the caller", body = ErrorBody),
        (status = 409, description = "The review is already decided or expired", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Body(DecideReviewRequest { decision: approves, note }): Body<DecideReviewRequest>,
) -> Answer<ReviewRecord> {
    let (review, now) = (seen_by(&tenants, &caller, id).await?, tenants.clock.now());
    let by = &caller.principal_name();
    let event = &events::of_ruling(&review, approves, now);
    let ruling = ReviewDecision { approves, by, note: note.as_deref(), event: Some(event) };
    let mut tx = tenants.audited().await?;
    let decided = tx.decide_review(caller.org_id, id, ruling, now).await?;
    let too_late = if review.is_expired(now) { "review expired" } else { "review already decided" };
    let decided = decided.ok_or_else(|| Error::conflict(too_late))?;
    // The note is not audited: audit entries cannot be erased.
    let details = json!({ "decision": decided.decision, "log_id": decided.log_id });
    audit::commit(tx, &caller, permission::DECIDE_REVIEW, id, details).await?;
    Ok(Json(record(&tenants, caller.org_id, decided).await?))
}
