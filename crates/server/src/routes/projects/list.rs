use axum::extract::State;
use guardengine_auth::project_access;
use serde::Serialize;
use utoipa::ToSchema;

use super::response::ProjectRecord;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json},
};

/// Projects.
#[derive(Debug, Serialize, ToSchema)]
pub struct Projects {
    projects: Vec<ProjectRecord>,
    total: usize,
}

/// List projects
///
/// Projects that the caller belongs to. Owners and admins belong to all; an API key may be bound to one.
#[utoipa::path(
    get, path = "/api/project/list", tag = "projects", operation_id = "projects_list",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The projects", body = Projects),
    )
)]
pub async fn handle(State(tenants): State<Tenants>, Caller(caller): Caller) -> Answer<Projects> {
    let stored = project_access::projects(&tenants.db, &caller).await?;
    let projects = ProjectRecord::all(stored, tenants.db.project_members(caller.org_id).await?);
    Ok(Json(Projects { total: projects.len(), projects }))
}
