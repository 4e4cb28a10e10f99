use axum::extract::State;
use guardengine_api_types::ErrorBody;

use super::response::{ReviewRecord, record, seen_by};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, PathId},
};

/// Get a review
#[utoipa::path(
    get, path = "/api/reviews/{review_id}", tag = "reviews", operation_id = "reviews_get",
    params(("review_id" = uuid::Uuid, Path, description = "Review identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The review", body = ReviewRecord),
        (status = 404, description = "Review not found, or not visible to the caller", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<ReviewRecord> {
    let review = seen_by(&tenants, &caller, id).await?;
    Ok(Json(record(&tenants, caller.org_id, review).await?))
}
