use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, permission, project_access};
use guardengine_engine::fields::{FieldError, Fields};
use serde_json::json;
use utoipa::ToSchema;

use super::named;
use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, FromFields, Json, MessageBody, PathId},
};

/// A member to add.
#[derive(Debug, ToSchema)]
pub struct NewMember {
    /// Username of a member of the organization.
    username: String,
}

impl FromFields for NewMember {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { username: fields.required_string("username")?.to_owned() })
    }
}

/// Add a member to a project
///
/// Adding a member again has no effect.
#[utoipa::path(
    post, path = "/api/project/{projectId}/members", tag = "projects", operation_id = "projects_members_add",
    params(("projectId" = uuid::Uuid, Path, description = "Project identifier")),
    request_body = NewMember,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Member added", body = MessageBody),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found, or no such user in the organization", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Body(new): Body<NewMember>,
) -> Answer<MessageBody> {
    project_access::project(&tenants.db, &caller, id).await?;
    let user = named(&tenants, &caller, &new.username).await?;
    let mut tx = tenants.audited().await?;
    if tx.add_project_member(id, user.id).await? {
        let details = json!({ "added": user.username });
        audit::commit(tx, &caller, permission::MANAGE_MEMBERS, id, details).await?;
    }
    Ok(Json(MessageBody::new("member added")))
}
