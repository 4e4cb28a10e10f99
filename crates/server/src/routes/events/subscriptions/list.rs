use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::response::SubscriptionRecord;
use crate::{
    app::App,
    http::{Answer, Error, Json, Principal},
};

/// The organisation's subscriptions.
#[derive(Debug, Serialize, ToSchema)]
pub struct Subscriptions {
    /// In the order in which they were made; a connector has one at most.
    subscriptions: Vec<SubscriptionRecord>,
    total: usize,
}

/// List the webhooks that are told of events
#[utoipa::path(
    get, path = "/api/events/subscriptions", tag = "events", operation_id = "event_subscriptions_list",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The subscriptions", body = Subscriptions),
    )
)]
pub async fn handle(State(app): State<App>, caller: Principal) -> Answer<Subscriptions> {
    let stored = app.db.event_subscriptions(caller.org_id).await?;
    let newest = app.db.last_event_sequence(caller.org_id).await?;
    let records = stored.iter().map(|subscription| SubscriptionRecord::of(subscription, newest));
    let subscriptions = records.collect::<Result<Vec<_>, Error>>()?;
    Ok(Json(Subscriptions { total: subscriptions.len(), subscriptions }))
}
