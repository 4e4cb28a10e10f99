use axum::extract::State;
use guardengine_api_types::ErrorBody;

use super::response::{SubscriptionRecord, record, stored};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, PathId},
};

/// Get a subscription
#[utoipa::path(
    get, path = "/api/events/subscriptions/{subscription_id}", tag = "events", operation_id = "event_subscriptions_get",
    params(("subscription_id" = uuid::Uuid, Path, description = "Subscription identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The subscription", body = SubscriptionRecord),
        (status = 404, description = "Subscription not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<SubscriptionRecord> {
    Ok(Json(record(&tenants, &stored(&tenants, &caller, id).await?).await?))
}
