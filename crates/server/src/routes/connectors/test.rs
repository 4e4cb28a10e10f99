use std::time::Instant;

use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;
use guardengine_integrations::{
    Integrations,
    connectors::{check, open, record_check_in, status_of},
};
use guardengine_store::Timestamp;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::response::stored;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, PathId},
};

/// Result of a connector check.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorTest {
    /// True if the check succeeded.
    ok: bool,
    /// New status: `active`, `error` or `disabled`.
    #[schema(value_type = guardengine_api_types::choices::ConnectorStatus)]
    status: String,
    /// Error of the check; null on success.
    error: Option<String>,
    /// Duration of the check, milliseconds.
    latency_ms: u64,
    #[schema(value_type = String, format = DateTime)]
    checked_at: Timestamp,
}

/// Test a connector
///
/// Sends the cheapest request that proves that the connector works, also if it is disabled. `GET /api/connectors/types`
/// describes the check of each type.
#[utoipa::path(
    post, path = "/api/connectors/{id}/test", tag = "connectors", operation_id = "connectors_test",
    params(("id" = uuid::Uuid, Path, description = "Connector identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The result of the check", body = ConnectorTest),
        (status = 404, description = "Connector not found", body = ErrorBody),
        (status = 409, description = "The connector was changed during the check", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<ConnectorTest> {
    let connector = open(&integrations.vault, stored(&tenants, &caller, id).await?).await?;
    let (began, began_at) = (Instant::now(), tenants.clock.now());
    let error = check(&integrations, &connector).await.err();
    let latency_ms = began.elapsed().as_millis() as u64;
    let changed = || Error::conflict("the connector was changed meanwhile, try again");
    let mut tx = tenants.audited().await?;
    let kept = record_check_in(&mut tx, began_at, &connector.stored, error.as_deref()).await?;
    let kept = kept.ok_or_else(changed)?;
    let details = json!({ "name": kept.name, "error": error });
    audit::commit(tx, &caller, "CONNECTORS:TEST_CONNECTOR", id, details).await?;
    Ok(Json(ConnectorTest {
        ok: error.is_none(),
        status: status_of(&kept).to_owned(),
        error,
        latency_ms,
        checked_at: kept.last_checked_at.unwrap_or(tenants.clock.now()),
    }))
}
