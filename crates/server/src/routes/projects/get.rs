use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::project_access;

use super::response::ProjectRecord;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, PathId},
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
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<ProjectRecord> {
    let project = project_access::project(&tenants.db, &caller, id).await?;
    let members = tenants.db.project_member_names(id).await?;
    Ok(Json(ProjectRecord::of(project, members)))
}
