use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_store::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, PathId},
    routes::reviews::response::{seen_by, status},
};

/// Status of the review of a request.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReviewStatusResponse {
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
    /// When a reviewer decided.
    #[schema(value_type = Option<String>, format = DateTime)]
    decided_at: Option<Timestamp>,
}

/// Get the status of a review
///
/// Visible to those who can see the log entry: members of its project, or the caller of a request without a project.
#[utoipa::path(
    get, path = "/api/autonomous/reviews/{review_id}", tag = "autonomous", operation_id = "autonomous_review",
    params(("review_id" = Uuid, Path, description = "Review identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The status of the review", body = ReviewStatusResponse),
        (status = 404, description = "Review not found, or not visible to the caller", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<ReviewStatusResponse> {
    let (review, now) = (seen_by(&tenants, &caller, id).await?, tenants.clock.now());
    Ok(Json(ReviewStatusResponse {
        review_id: review.id,
        status: status(&review, now),
        expired: review.is_expired(now),
        created_at: review.created_at,
        expires_at: review.expires_at,
        decided_at: review.decided_at,
    }))
}
