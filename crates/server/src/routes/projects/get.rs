use axum::extract::State;

use super::response::ProjectRecord;
use crate::{
    app::App,
    http::{Answer, ErrorBody, Json, PathId, Principal},
    project_access,
};

/// Get a project
#[utoipa::path(
    get, path = "/api/project/{projectId}", tag = "projects", operation_id = "projects_get",
    params(("projectId" = uuid::Uuid, Path, description = "Project identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The project", body = ProjectRecord),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub async fn handle(State(app): State<App>, caller: Principal, PathId(id): PathId) -> Answer<ProjectRecord> {
    let project = project_access::project(&app.db, &caller, id).await?;
    let members = app.db.project_member_names(id).await?;
    Ok(Json(ProjectRecord::of(project, members)))
}
