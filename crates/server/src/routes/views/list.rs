use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::response::ViewRecord;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json},
};

/// Views that are listed.
const MAX_LISTED: i64 = 500;

/// Saved views.
#[derive(Debug, Serialize, ToSchema)]
pub struct Views {
    /// Newest first.
    views: Vec<ViewRecord>,
}

/// List the saved views of the log
///
/// Those of the caller and shared ones, the newest 500.
#[utoipa::path(
    get, path = "/api/views", tag = "logs", operation_id = "views_list",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The views", body = Views),
    )
)]
pub async fn handle(State(tenants): State<Tenants>, Caller(caller): Caller) -> Answer<Views> {
    let found = tenants.db.log_views(caller.org_id, caller.user_id, MAX_LISTED).await?;
    let views = found.into_iter().map(|view| ViewRecord::of(view, &caller)).collect();
    Ok(Json(Views { views }))
}
