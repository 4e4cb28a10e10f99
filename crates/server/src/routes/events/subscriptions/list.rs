use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::response::SubscriptionRecord;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json},
};

/// Subscriptions of the organization.
#[derive(Debug, Serialize, ToSchema)]
pub struct Subscriptions {
    /// In order of creation. A connector has at most one.
    subscriptions: Vec<SubscriptionRecord>,
    total: usize,
}

/// List event subscriptions
#[utoipa::path(
    get, path = "/api/events/subscriptions", tag = "events", operation_id = "event_subscriptions_list",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The subscriptions", body = Subscriptions),
    )
)]
pub async fn handle(State(tenants): State<Tenants>, Caller(caller): Caller) -> Answer<Subscriptions> {
    let stored = tenants.db.event_subscriptions(caller.org_id).await?;
    let newest = tenants.db.last_event_sequence(caller.org_id).await?;
    let records = stored.iter().map(|subscription| SubscriptionRecord::of(subscription, newest));
    let subscriptions = records.collect::<Result<Vec<_>, Error>>()?;
    Ok(Json(Subscriptions { total: subscriptions.len(), subscriptions }))
}
