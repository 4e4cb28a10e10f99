use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;
use serde_json::json;

use super::response::changeable;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, MessageBody, PathId},
};

/// Delete a view of the log
///
/// Creators delete their views; owners and admins also the shared ones of others.
#[utoipa::path(
    delete, path = "/api/views/{view_id}", tag = "logs", operation_id = "views_delete",
    params(("view_id" = uuid::Uuid, Path, description = "View identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Deleted", body = MessageBody),
        (status = 403, description = "Missing permission, or a shared view of somebody else", body = ErrorBody),
        (status = 404, description = "View not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<MessageBody> {
    let view = changeable(&tenants, &caller, id).await?;
    let mut tx = tenants.audited().await?;
    if !tx.delete_log_view(caller.org_id, id).await? {
        return Err(Error::not_found("view"));
    }
    audit::commit(tx, &caller, "LOGS:DELETE_VIEW", id, json!({ "name": view.name })).await?;
    Ok(Json(MessageBody::new("view deleted")))
}
