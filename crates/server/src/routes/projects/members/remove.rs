use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, permission, project_access};
use serde_json::json;

use super::named;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, MessageBody, PathId, PathParam},
};

/// Remove a member from a project
///
/// Owners and admins still belong to every project.
#[utoipa::path(
    delete, path = "/api/project/{projectId}/members/{username}", tag = "projects",
    operation_id = "projects_members_remove",
    params(
        ("projectId" = uuid::Uuid, Path, description = "Project identifier"),
        ("username" = String, Path, description = "Username of the member"),
    ),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Member removed", body = MessageBody),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found, or no such member", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
    PathParam(username): PathParam,
) -> Answer<MessageBody> {
    project_access::project(&tenants.db, &caller, id).await?;
    let user = named(&tenants, &caller, &username).await?;
    let mut tx = tenants.audited().await?;
    if !tx.remove_project_member(id, user.id).await? {
        return Err(Error::not_found("user"));
    }
    let details = json!({ "removed": user.username });
    audit::commit(tx, &caller, permission::MANAGE_MEMBERS, id, details).await?;
    Ok(Json(MessageBody::new("member removed")))
}
