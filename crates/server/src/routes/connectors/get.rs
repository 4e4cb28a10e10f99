use axum::extract::State;

use super::response::{ConnectorRecord, stored};
use crate::{
    app::App,
    http::{Answer, ErrorBody, Json, PathId, Principal},
};

/// Get a connector
///
/// Secrets are not returned; `secrets_set` lists those that are set.
#[utoipa::path(
    get, path = "/api/connectors/{id}", tag = "connectors", operation_id = "connectors_get",
    params(("id" = uuid::Uuid, Path, description = "Connector identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The connector", body = ConnectorRecord),
        (status = 404, description = "Connector not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    PathId(id): PathId,
) -> Answer<ConnectorRecord> {
    Ok(Json(ConnectorRecord::of(&stored(&app, &caller, id).await?)?))
}
