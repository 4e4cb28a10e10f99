use axum::extract::State;
use serde_json::json;

use super::named;
use crate::{
    app::App,
    audit,
    http::{Answer, Error, ErrorBody, Json, MessageBody, PathId, PathParam, Principal, permission},
    project_access,
};

/// Remove a member from a project
///
/// Owners and admins belong to every project all the same.
#[utoipa::path(
    delete, path = "/api/project/{projectId}/members/{username}", tag = "projects",
    operation_id = "projects_members_remove",
    params(
        ("projectId" = uuid::Uuid, Path, description = "From its creation or the list"),
        ("username" = String, Path, description = "From the list of members"),
    ),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "They do not belong to the project any more", body = MessageBody),
        (status = 403, description = "A permission is missing, or not a member", body = ErrorBody),
        (status = 404, description = "No such project, or no such user in it", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    PathId(id): PathId,
    PathParam(username): PathParam,
) -> Answer<MessageBody> {
    project_access::project(&app.db, &caller, id).await?;
    let user = named(&app, &caller, &username).await?;
    let mut tx = audit::begin(&app).await?;
    if !tx.remove_project_member(id, user.id).await? {
        return Err(Error::not_found("user"));
    }
    let details = json!({ "removed": user.username });
    audit::commit(tx, &caller, permission::MANAGE_MEMBERS, id, details).await?;
    Ok(Json(MessageBody::new("member removed")))
}
