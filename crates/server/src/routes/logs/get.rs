use axum::extract::State;

use super::record::LogRecord;
use crate::{
    app::App,
    http::{Answer, Caller, Error, ErrorBody, Json, PathId},
    membership::reader,
};

/// See a row of the log
#[utoipa::path(
    get, path = "/api/logs/{log_id}", tag = "logs", operation_id = "logs_get",
    params(("log_id" = uuid::Uuid, Path, description = "From a decision or the list")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The row", body = LogRecord),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "A permission is missing", body = ErrorBody),
        (status = 404, description = "No such row, or none that the caller may see", body = ErrorBody),
        (status = 413, description = "Body too large", body = ErrorBody),
        (status = 422, description = "Not an id", body = ErrorBody),
        (status = 429, description = "Rate limit", body = ErrorBody),
    )
)]
pub async fn handle(State(app): State<App>, caller: Caller, PathId(id): PathId) -> Answer<LogRecord> {
    let not_found = || Error::not_found("log");
    let log = app.db.log(caller.org_id, id).await?.ok_or_else(not_found)?;
    let reader = reader(&app, &caller).await?;
    if reader.is_none_or(|reader| reader.may_see(&log)) { Ok(Json(log.into())) } else { Err(not_found()) }
}
