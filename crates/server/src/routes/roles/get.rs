use axum::extract::State;
use guardengine_api_types::ErrorBody;

use super::{built_in, response::RoleRecord};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, PathId},
};

/// Get a role
#[utoipa::path(
    get, path = "/api/roles/{role_id}", tag = "roles", operation_id = "roles_get",
    params(("role_id" = uuid::Uuid, Path, description = "Role identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The role", body = RoleRecord),
        (status = 404, description = "Role not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<RoleRecord> {
    if let Some(name) = built_in::of_id(id) {
        return Ok(Json(RoleRecord::built_in(id, name)));
    }
    let role = tenants.db.role(caller.org_id, id).await?.ok_or_else(|| Error::not_found("role"))?;
    Ok(Json(role.into()))
}
