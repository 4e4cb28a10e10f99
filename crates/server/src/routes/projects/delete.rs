use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, permission, project_access};
use serde_json::json;

use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, MessageBody, PathId},
};

/// Delete a project
///
/// Its log entries stay. Guard requests with its identifier are refused. A project to which active API keys are bound cannot
/// be deleted.
#[utoipa::path(
    delete, path = "/api/project/{projectId}", tag = "projects", operation_id = "projects_delete",
    params(("projectId" = uuid::Uuid, Path, description = "Project identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Deleted", body = MessageBody),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
        (status = 409, description = "API keys are bound to the project; `detail` lists them", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<MessageBody> {
    let project = project_access::project(&tenants.db, &caller, id).await?;
    let keys = tenants.db.keys_bound_to_project(caller.org_id, id, tenants.clock.now()).await?;
    if !keys.is_empty() {
        return Err(Error::conflict(format!("API keys are bound to the project: {}", keys.join(", "))));
    }
    let mut tx = tenants.audited().await?;
    if !tx.delete_project(caller.org_id, id).await? {
        return Err(Error::not_found("project"));
    }
    let details = json!({ "projectName": project.name });
    audit::commit(tx, &caller, permission::DELETE_PROJECT, id, details).await?;
    Ok(Json(MessageBody::new("project deleted")))
}
