use axum::extract::State;
use guardengine_api_types::ErrorBody;

use super::response::UserRecord;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, PathId},
};

/// Get a user
#[utoipa::path(
    get, path = "/api/users/{user_id}", tag = "users", operation_id = "users_get",
    params(("user_id" = uuid::Uuid, Path, description = "User identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The user", body = UserRecord),
        (status = 404, description = "User not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<UserRecord> {
    let member = tenants.db.member(caller.org_id, id).await?.ok_or_else(|| Error::not_found("user"))?;
    Ok(Json(member.into()))
}
