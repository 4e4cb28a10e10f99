use axum::extract::State;

use super::record::ProjectRecord;
use crate::{
    app::App,
    http::{Answer, Caller, Error, ErrorBody, Json, PathId},
};

/// See a project
#[utoipa::path(
    get, path = "/api/project/{projectId}", tag = "projects", operation_id = "projects_get",
    params(("projectId" = uuid::Uuid, Path, description = "From its creation or the list")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The project", body = ProjectRecord),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "A permission is missing, or not a member", body = ErrorBody),
        (status = 404, description = "No such project", body = ErrorBody),
        (status = 413, description = "Body too large", body = ErrorBody),
        (status = 422, description = "Not an id", body = ErrorBody),
        (status = 429, description = "Rate limit", body = ErrorBody),
    )
)]
pub async fn handle(State(app): State<App>, caller: Caller, PathId(id): PathId) -> Answer<ProjectRecord> {
    let not_found = || Error::not_found("project");
    let project = app.db.project(caller.org_id, id).await?.ok_or_else(not_found)?;
    if !caller.is_everywhere() && !app.db.is_project_member(id, caller.user_id).await? {
        return Err(Error::forbidden("not a member of this project"));
    }
    let members = app.db.project_members(caller.org_id).await?;
    ProjectRecord::all(vec![project], members).pop().map(Json).ok_or_else(not_found)
}
