use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::project_access;
use guardengine_store::ProjectMemberRole;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, PageParameters, PageQuery, PathId},
};

/// A member of a project.
#[derive(Debug, Serialize, ToSchema)]
pub struct MemberRecord {
    user_id: Uuid,
    username: String,
    /// Role in the organization.
    role: String,
}

impl From<ProjectMemberRole> for MemberRecord {
    fn from(member: ProjectMemberRole) -> Self {
        let ProjectMemberRole { user_id, username, role } = member;
        Self { user_id, username, role }
    }
}

/// Members of a project.
#[derive(Debug, Serialize, ToSchema)]
pub struct Members {
    members: Vec<MemberRecord>,
    /// `cursor` of the next page; null on the last page.
    next_cursor: Option<Uuid>,
}

/// List the members of a project
///
/// Newest user first. Owners and admins belong to every project and are not listed.
#[utoipa::path(
    get, path = "/api/project/{projectId}/members", tag = "projects", operation_id = "projects_members_list",
    params(
        ("projectId" = Uuid, Path, description = "Project identifier"),
        PageParameters,
    ),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The members", body = Members),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
    page: PageQuery,
) -> Answer<Members> {
    project_access::project(&tenants.db, &caller, id).await?;
    let paged = tenants.db.members_of_project(caller.org_id, id, page.page()).await?;
    let members = paged.rows.into_iter().map(MemberRecord::from).collect();
    Ok(Json(Members { members, next_cursor: paged.next }))
}
