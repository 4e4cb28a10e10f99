use axum::extract::State;
use guardengine_api_types::ErrorBody;

use super::response::{ConnectorRecord, stored};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, PathId},
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
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<ConnectorRecord> {
    Ok(Json(ConnectorRecord::of(&stored(&tenants, &caller, id).await?)?))
}
