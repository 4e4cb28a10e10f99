use axum::extract::State;
use guardengine_auth::project_access::log_scope;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{ReviewFilter, ReviewStatus};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::response::{ReviewRecord, STATUSES, records};
use crate::{
    app::Tenants,
    http::{Answer, Caller, FromFields, Json, PageParameters, PageQuery, Query},
};

/// Review filters.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReviewsQuery {
    #[param(ignore)]
    page: PageQuery<Uuid>,
    /// `pending`, `approved` or `denied`. Default: all.
    #[param(value_type = Option<guardengine_api_types::choices::ReviewStatus>, inline)]
    status: Option<ReviewStatus>,
}

impl FromFields for ReviewsQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { page: PageQuery::from_fields(fields)?, status: fields.choice("status", &STATUSES)? })
    }
}

/// A page of reviews.
#[derive(Debug, Serialize, ToSchema)]
pub struct Reviews {
    /// Newest first.
    reviews: Vec<ReviewRecord>,
    /// `cursor` of the next page; null on the last page.
    next_cursor: Option<Uuid>,
}

/// List reviews
///
/// Newest first. Owners and admins see all reviews of the organization. Others see those of their projects, and those
/// of their own requests without a project.
#[utoipa::path(
    get, path = "/api/reviews", tag = "reviews", operation_id = "reviews_list",
    params(PageParameters, ReviewsQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of reviews", body = Reviews),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Query(ReviewsQuery { page, status }): Query<ReviewsQuery>,
) -> Answer<Reviews> {
    let filter = ReviewFilter { status, scope: log_scope(&tenants.db, &caller).await? };
    let found = tenants.db.reviews(caller.org_id, &filter, page.page(), tenants.clock.now()).await?;
    let reviews = records(&tenants, caller.org_id, found.rows).await?;
    Ok(Json(Reviews { reviews, next_cursor: found.next }))
}
