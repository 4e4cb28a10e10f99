use axum::extract::State;

use super::response::UserRecord;
use crate::{
    app::App,
    http::{Answer, Error, ErrorBody, Json, PathId, Principal},
};

/// See a user
#[utoipa::path(
    get, path = "/api/users/{user_id}", tag = "users", operation_id = "users_get",
    params(("user_id" = uuid::Uuid, Path, description = "From its creation or the list")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The user", body = UserRecord),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "A permission is missing", body = ErrorBody),
        (status = 404, description = "No such user", body = ErrorBody),
        (status = 413, description = "Body too large", body = ErrorBody),
        (status = 422, description = "Not an id", body = ErrorBody),
        (status = 429, description = "Rate limit", body = ErrorBody),
    )
)]
pub async fn handle(State(app): State<App>, caller: Principal, PathId(id): PathId) -> Answer<UserRecord> {
    let member = app.db.member(caller.org_id, id).await?.ok_or_else(|| Error::not_found("user"))?;
    Ok(Json(member.into()))
}
