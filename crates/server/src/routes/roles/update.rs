use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Permissions, audit, permission};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{Changed, Role};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{
    built_in, request,
    response::{RoleRecord, held, own},
};
use crate::{
    app::Tenants,
    diff::diff,
    http::{Answer, Body, Caller, Error, FromFields, Json, PathId, changed_name},
};

/// Fields to change. Absent fields keep their value.
#[derive(Debug, ToSchema)]
pub struct RoleChange {
    /// 1 to 100 characters, unique in the organization; not the name of a built-in role.
    #[schema(value_type = Option<crate::schemas::NewName>)]
    name: Option<String>,
    /// All permissions of the role. The caller must hold them.
    #[schema(value_type = Option<Vec<crate::schemas::PermissionName>>)]
    permissions: Option<Permissions>,
}

impl FromFields for RoleChange {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let name = fields.string("name")?;
        Ok(Self { name: name.map(str::to_owned), permissions: request::permissions(fields)? })
    }
}

/// Update a role
///
/// Takes effect at once for every member with the role, also after a rename. The caller must hold every permission that
/// the role has and gets.
#[utoipa::path(
    put, path = "/api/roles/{role_id}", tag = "roles", operation_id = "roles_update",
    params(("role_id" = uuid::Uuid, Path, description = "Role identifier")),
    request_body = RoleChange,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The updated role", body = RoleRecord),
        (status = 403, description = "Missing permission, or the role has one that the caller lacks", body = ErrorBody),
        (status = 404, description = "Role not found", body = ErrorBody),
        (status = 409, description = "The name is taken, or the role is built in", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Body(mut change): Body<RoleChange>,
) -> Answer<RoleRecord> {
    let before = own(&tenants, &caller, id).await?;
    caller.holds(held(&before))?;
    caller.holds(change.permissions.unwrap_or_default())?;
    if let Some(name) = &mut change.name {
        *name = changed_name("name", name, &before.name)?;
    }
    if change.name.as_deref().is_some_and(built_in::has_name) {
        return Err(Error::name_taken("a role"));
    }
    let permissions = change.permissions.map(request::stored);
    let (name, permissions) = (change.name.as_deref(), permissions.as_deref());
    let mut tx = tenants.audited().await?;
    match tx.update_role((caller.org_id, id), name, permissions, tenants.clock.now()).await? {
        Changed::Done(after) => {
            let details = diff(&audited(&before), &audited(&after));
            audit::commit(tx, &caller, permission::UPDATE_ROLE, id, details).await?;
            Ok(Json(after.into()))
        }
        Changed::NameTaken => Err(Error::name_taken("a role")),
        Changed::Missing | Changed::Stale => Err(Error::not_found("role")),
    }
}

fn audited(role: &Role) -> Value {
    json!({ "name": role.name, "permissions": held(role).names() })
}
