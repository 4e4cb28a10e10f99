use axum::extract::State;

use super::response::UserRecord;
use crate::{
    app::App,
    http::{Answer, Error, ErrorBody, Json, PathId, Principal},
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
pub async fn handle(State(app): State<App>, caller: Principal, PathId(id): PathId) -> Answer<UserRecord> {
    let member = app.db.member(caller.org_id, id).await?.ok_or_else(|| Error::not_found("user"))?;
    Ok(Json(member.into()))
}
