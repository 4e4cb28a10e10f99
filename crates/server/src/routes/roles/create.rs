use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Permissions, audit, permission};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::Created;
use serde_json::json;
use utoipa::ToSchema;

use super::{built_in, request, response::RoleRecord};
use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Error, FromFields, Json, required_name},
};

/// A role to create.
#[derive(Debug, ToSchema)]
pub struct NewRole {
    /// 1 to 100 characters, unique in the organization; not the name of a built-in role.
    #[schema(value_type = crate::schemas::NewName)]
    name: String,
    /// Permissions from `GET /api/permissions` that the caller holds.
    #[schema(value_type = Vec<crate::schemas::PermissionName>)]
    permissions: Permissions,
}

impl FromFields for NewRole {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let name = required_name(fields, "name")?;
        let permissions = request::permissions(fields)?.ok_or_else(|| FieldError::required("permissions"))?;
        Ok(Self { name, permissions })
    }
}

/// Create a role
///
/// Callers can only include permissions that they hold.
#[utoipa::path(
    post, path = "/api/roles", tag = "roles", operation_id = "roles_create",
    request_body = NewRole,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The role", body = RoleRecord),
        (status = 409, description = "The name is taken", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Body(new): Body<NewRole>,
) -> Answer<RoleRecord> {
    caller.holds(new.permissions)?;
    if built_in::has_name(&new.name) {
        return Err(Error::name_taken("a role"));
    }
    let permissions = request::stored(new.permissions);
    let mut tx = tenants.audited().await?;
    match tx.create_role(caller.org_id, &new.name, &permissions, tenants.clock.now()).await? {
        Created::Done(made) => {
            let details = json!({ "name": made.name, "permissions": new.permissions.names() });
            audit::commit(tx, &caller, permission::CREATE_ROLE, made.id, details).await?;
            Ok(Json(made.into()))
        }
        Created::NameTaken => Err(Error::name_taken("a role")),
    }
}
