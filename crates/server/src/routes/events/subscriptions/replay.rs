use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Principal, audit};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_integrations::Integrations;
use guardengine_store::Timestamp;
use serde_json::json;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat,
        schema::{OneOfBuilder, Type},
    },
};

use super::response::{SubscriptionRecord, record, stored};
use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Error, FromFields, Json, PathId},
};

const ACCEPTED: &str = "must be a cursor, or an RFC 3339 time, such as 2026-01-02T03:04:05Z";

/// The position to replay from.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "from": "2026-01-02T03:04:05Z" }))]
pub struct EventReplay {
    /// A cursor: replays later events. Or a time: replays events from then on.
    from: Place,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Cursor(i64),
    Time(Timestamp),
}

impl PartialSchema for Place {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let time = text.format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)));
        OneOfBuilder::new().item(i64::schema()).item(time).into()
    }
}

impl ToSchema for Place {}

impl FromFields for EventReplay {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let from = fields.get("from").ok_or_else(|| FieldError::required("from"))?;
        let time = || Some(Place::Time(from.as_str()?.parse().ok()?));
        let from = from.as_i64().map(Place::Cursor).or_else(time);
        Ok(Self { from: from.ok_or_else(|| FieldError::value("from", ACCEPTED))? })
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
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Body(EventReplay { from }): Body<EventReplay>,
) -> Answer<SubscriptionRecord> {
    let before = stored(&tenants, &caller, id).await?;
    let position = position(&tenants, &caller, from).await?;
    let mut tx = tenants.audited().await?;
    let replayed = tx.replay_events(caller.org_id, id, position, tenants.clock.now()).await?;
    let after = replayed.ok_or_else(|| Error::not_found("event subscription"))?;
    let details = json!({ "cursor": { "from": before.position, "to": position } });
    audit::commit(tx, &caller, "CONNECTORS:REPLAY_EVENTS", id, details).await?;
    integrations.events_pending.notify_one();
    Ok(Json(record(&tenants, &after).await?))
}

async fn position(tenants: &Tenants, caller: &Principal, from: Place) -> Result<i64, Error> {
    match from {
        Place::Time(time) => Ok(tenants.db.event_before(caller.org_id, time).await?),
        Place::Cursor(cursor) => {
            let newest = tenants.db.last_event_sequence(caller.org_id).await?;
            let known = (0..=newest).contains(&cursor);
            if known { Ok(cursor) } else { Err(FieldError::value("from", ACCEPTED).into()) }
        }
    }
}
