use axum::extract::State;
use guardengine_store::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    http::{Answer, ErrorBody, Json, PathId, Principal},
    routes::reviews::response::{seen_by, status},
};

/// How the review of one's own request stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReviewStatusResponse {
    review_id: Uuid,
    /// `pending`, `approved` or `denied`.
    status: &'static str,
    /// Whether it is denied because nobody decided in time.
    expired: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// From when on it counts as denied.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    /// When somebody decided.
    #[schema(value_type = Option<String>, format = DateTime)]
    decided_at: Option<Timestamp>,
}

/// Ask how a review stands
///
/// For whoever sees the row of the request: members of its project, or its caller where it has none.
#[utoipa::path(
    get, path = "/api/autonomous/reviews/{review_id}", tag = "autonomous", operation_id = "autonomous_review",
    params(("review_id" = Uuid, Path, description = "From the decision")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "How it stands", body = ReviewStatusResponse),
        (status = 404, description = "No such review, or none that the caller may see", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    PathId(id): PathId,
) -> Answer<ReviewStatusResponse> {
    let (review, now) = (seen_by(&app, &caller, id).await?, app.clock.now());
    Ok(Json(ReviewStatusResponse {
        review_id: review.id,
        status: status(&review, now),
        expired: review.is_expired(now),
        created_at: review.created_at,
        expires_at: review.expires_at,
        decided_at: review.decided_at,
    }))
}
