use axum::extract::State;

use super::response::{ConnectorRecord, stored};
use crate::{
    app::App,
    http::{Answer, ErrorBody, Json, PathId, Principal},
};

/// See a connector
///
/// Without its secrets: `secrets_set` names those that are set.
#[utoipa::path(
    get, path = "/api/connectors/{id}", tag = "connectors", operation_id = "connectors_get",
    params(("id" = uuid::Uuid, Path, description = "From its creation or the list")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The connector", body = ConnectorRecord),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "A permission is missing", body = ErrorBody),
        (status = 404, description = "No such connector", body = ErrorBody),
        (status = 413, description = "Body too large", body = ErrorBody),
        (status = 422, description = "Not an id", body = ErrorBody),
        (status = 429, description = "Rate limit", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    PathId(id): PathId,
) -> Answer<ConnectorRecord> {
    Ok(Json(ConnectorRecord::of(&stored(&app, &caller, id).await?)?))
}
