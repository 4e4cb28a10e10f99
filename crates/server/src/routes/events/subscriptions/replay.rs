use axum::extract::State;
use guardengine_engine::fields::{Fields, Invalid};
use guardengine_store::Timestamp;
use serde_json::json;
use utoipa::ToSchema;

use super::response::{SubscriptionRecord, record, stored};
use crate::{
    app::App,
    audit,
    http::{Answer, Body, Error, ErrorBody, FromFields, Json, PathId, Principal},
};

const ACCEPTED: &str = "must be a cursor, or an ISO 8601 time in UTC, as 2026-01-02T03:04:05Z";

/// The position to replay from.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "from": "2026-01-02T03:04:05Z" }))]
pub struct EventReplay {
    /// A cursor: replays later events. Or a time: replays events from then on.
    #[schema(value_type = serde_json::Value)]
    from: Place,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Cursor(i64),
    Time(Timestamp),
}

impl FromFields for EventReplay {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
        let from = fields.get("from").ok_or_else(|| Invalid::required("from"))?;
        let time = || Some(Place::Time(from.as_str()?.parse().ok()?));
        let from = from.as_i64().map(Place::Cursor).or_else(time);
        Ok(Self { from: from.ok_or_else(|| Invalid::value("from", ACCEPTED))? })
    }
}

/// Replay events
///
/// Delivers all stored events of the subscription after the cursor, or from the time on. A cursor ahead of the current
/// one skips the events between. Deliveries in progress still arrive.
#[utoipa::path(
    post, path = "/api/events/subscriptions/{subscription_id}/replay", tag = "events",
    operation_id = "event_subscriptions_replay",
    params(("subscription_id" = uuid::Uuid, Path, description = "Subscription identifier")),
    request_body = EventReplay,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The updated subscription", body = SubscriptionRecord),
        (status = 404, description = "Subscription not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    PathId(id): PathId,
    Body(EventReplay { from }): Body<EventReplay>,
) -> Answer<SubscriptionRecord> {
    let before = stored(&app, &caller, id).await?;
    let position = position(&app, &caller, from).await?;
    let mut tx = audit::begin(&app).await?;
    let replayed = tx.replay_events(caller.org_id, id, position, app.clock.now()).await?;
    let after = replayed.ok_or_else(|| Error::not_found("event subscription"))?;
    let details = json!({ "cursor": { "from": before.position, "to": position } });
    audit::commit(tx, &caller, "CONNECTORS:REPLAY_EVENTS", id, details).await?;
    app.events_pending.notify_one();
    Ok(Json(record(&app, &after).await?))
}

async fn position(app: &App, caller: &Principal, from: Place) -> Result<i64, Error> {
    match from {
        Place::Time(time) => Ok(app.db.event_before(caller.org_id, time).await?),
        Place::Cursor(cursor) => {
            let newest = app.db.last_event_sequence(caller.org_id).await?;
            let known = (0..=newest).contains(&cursor);
            if known { Ok(cursor) } else { Err(Invalid::value("from", ACCEPTED).into()) }
        }
    }
}
