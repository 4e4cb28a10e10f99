//! Messages of alert rules.

use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;
use guardengine_integrations::Integrations;
use guardengine_store::{AlertDelivery, Timestamp};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::response::stored;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, PageParameters, PageQuery, PathId, Query},
};

/// A message of an alert rule and its delivery.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlertDeliveryRecord {
    delivery_id: Uuid,
    alert_id: Uuid,
    connector_id: Uuid,
    /// `fired` or `resolved`.
    #[schema(value_type = guardengine_api_types::choices::AlertMessageKind)]
    kind: String,
    title: String,
    content: String,
    /// `queued`, `sent` or `dead` (failed permanently).
    #[schema(value_type = guardengine_api_types::choices::AlertDeliveryStatus)]
    status: String,
    /// Number of delivery attempts.
    attempts: i64,
    /// Time of the next attempt; null unless queued.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_attempt_at: Option<Timestamp>,
    /// Error of the last attempt.
    last_error: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl From<AlertDelivery> for AlertDeliveryRecord {
    fn from(delivery: AlertDelivery) -> Self {
        let is_queued = delivery.state == "queued";
        Self {
            delivery_id: delivery.id,
            alert_id: delivery.rule_id,
            connector_id: delivery.connector_id,
            kind: delivery.kind,
            title: delivery.title,
            content: delivery.content,
            status: delivery.state,
            attempts: delivery.attempts,
            next_attempt_at: is_queued.then_some(delivery.next_attempt_at),
            last_error: delivery.last_error,
            created_at: delivery.created_at,
            updated_at: delivery.updated_at,
        }
    }
}

/// A page of messages.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlertDeliveries {
    /// Newest first.
    deliveries: Vec<AlertDeliveryRecord>,
    /// `cursor` of the next page; null on the last page.
    next_cursor: Option<Uuid>,
}

/// List the messages of an alert rule
///
/// Newest first. They are kept for `events.retention`.
#[utoipa::path(
    get, path = "/api/alerts/{alert_id}/deliveries", tag = "alerts", operation_id = "alert_deliveries_list",
    params(("alert_id" = uuid::Uuid, Path, description = "Alert identifier"), PageParameters),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of messages", body = AlertDeliveries),
        (status = 404, description = "Alert not found, or not visible to the caller", body = ErrorBody),
    )
)]
pub async fn list(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Query(page): Query<PageQuery<Uuid>>,
) -> Answer<AlertDeliveries> {
    let rule = stored(&tenants, &caller, id).await?;
    let found = tenants.db.alert_deliveries(caller.org_id, rule.id, page.page()).await?;
    let deliveries = found.rows.into_iter().map(AlertDeliveryRecord::from).collect();
    Ok(Json(AlertDeliveries { deliveries, next_cursor: found.next }))
}

/// Retry a dead message
///
/// Queues the message unchanged.
#[utoipa::path(
    post, path = "/api/alerts/deliveries/{delivery_id}/retry", tag = "alerts",
    operation_id = "alert_deliveries_retry",
    params(("delivery_id" = uuid::Uuid, Path, description = "Identifier of the message")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The queued message", body = AlertDeliveryRecord),
        (status = 404, description = "Message not found, or not visible to the caller", body = ErrorBody),
        (status = 409, description = "The message is not dead", body = ErrorBody),
    )
)]
pub async fn retry(
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<AlertDeliveryRecord> {
    let found = tenants.db.alert_delivery(caller.org_id, id).await?;
    let found = found.ok_or_else(|| Error::not_found("alert delivery"))?;
    stored(&tenants, &caller, found.rule_id).await?;
    let mut tx = tenants.audited().await?;
    let queued = tx.retry_alert_delivery(caller.org_id, id, tenants.clock.now()).await?;
    let queued = queued.ok_or_else(|| Error::conflict("alert delivery is not dead"))?;
    let details = json!({ "alert_id": queued.rule_id, "last_error": queued.last_error });
    audit::commit(tx, &caller, "CONNECTORS:RETRY_ALERT_DELIVERY", id, details).await?;
    integrations.alerts_pending.notify_one();
    Ok(Json(queued.into()))
}
