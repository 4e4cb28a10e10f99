use axum::extract::State;

use super::response::{SubscriptionRecord, record, stored};
use crate::{
    app::App,
    http::{Answer, ErrorBody, Json, PathId, Principal},
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
    State(app): State<App>,
    caller: Principal,
    PathId(id): PathId,
) -> Answer<SubscriptionRecord> {
    Ok(Json(record(&app, &stored(&app, &caller, id).await?).await?))
}
