use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;
use guardengine_store::{LogView, new_id};
use serde_json::json;

use super::{
    request::{ViewRequest, written},
    response::ViewRecord,
};
use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Error, Json},
};

/// Views of a user in an organization.
const MAX_VIEWS: i64 = 50;

/// Save a view of the log
///
/// With filters, period and columns. A user has at most 50 views.
#[utoipa::path(
    post, path = "/api/views", tag = "logs", operation_id = "views_create",
    request_body = ViewRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The saved view", body = ViewRecord),
        (status = 409, description = "The user has too many views", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Body(request): Body<ViewRequest>,
) -> Answer<ViewRecord> {
    let now = tenants.clock.now();
    let view = LogView {
        id: new_id(now),
        org_id: caller.org_id,
        user_id: caller.user_id,
        created_at: now,
        updated_at: now,
        name: request.name,
        shared: request.shared,
        content: written(&request.content),
    };
    let mut tx = tenants.audited().await?;
    if !tx.create_log_view(&view, MAX_VIEWS).await? {
        return Err(Error::conflict(format!("you have {MAX_VIEWS} views, delete one first")));
    }
    let details = json!({ "name": view.name, "shared": view.shared });
    audit::commit(tx, &caller, "LOGS:CREATE_VIEW", view.id, details).await?;
    Ok(Json(ViewRecord::of(view, &caller)))
}
