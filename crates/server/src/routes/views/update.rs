use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;
use guardengine_store::LogView;
use serde_json::json;

use super::{
    request::{ViewRequest, written},
    response::{ViewRecord, changeable},
};
use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Error, Json, PathId},
};

/// Replace a view of the log
///
/// Creators change their views; owners and admins also the shared ones of others.
#[utoipa::path(
    put, path = "/api/views/{view_id}", tag = "logs", operation_id = "views_update",
    params(("view_id" = uuid::Uuid, Path, description = "View identifier")),
    request_body = ViewRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The saved view", body = ViewRecord),
        (status = 403, description = "Missing permission, or a shared view of somebody else", body = ErrorBody),
        (status = 404, description = "View not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Body(request): Body<ViewRequest>,
) -> Answer<ViewRecord> {
    let before = changeable(&tenants, &caller, id).await?;
    let view = LogView {
        name: request.name,
        shared: request.shared,
        content: written(&request.content),
        updated_at: tenants.clock.now(),
        ..before
    };
    let mut tx = tenants.audited().await?;
    if !tx.update_log_view(&view).await? {
        return Err(Error::not_found("view"));
    }
    let details = json!({ "name": view.name, "shared": view.shared });
    audit::commit(tx, &caller, "LOGS:UPDATE_VIEW", id, details).await?;
    Ok(Json(ViewRecord::of(view, &caller)))
}
