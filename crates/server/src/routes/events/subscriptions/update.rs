use axum::extract::State;
use guardengine_engine::fields::{Fields, Invalid};
use guardengine_store::{Changed, EventSubscription, SubscriptionText, Timestamp, Tx};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    request::{Narrowed, kinds, may_see, projects, stored as as_stored, webhook},
    response::{SubscriptionRecord, record, stored, written},
};
use crate::{
    app::App,
    audit,
    http::{Answer, Body, Error, ErrorBody, FromFields, Json, PathId, Principal, optional_id},
};

/// What changes of a subscription.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "enabled": false }))]
pub struct SubscriptionChange {
    /// Another webhook connector that has no subscription.
    connector_id: Option<Uuid>,
    /// Null for all.
    #[schema(value_type = Option<Vec<String>>)]
    kinds: Narrowed<String>,
    /// Null for everything that happens in the organisation.
    #[schema(value_type = Option<Vec<Uuid>>)]
    projects: Narrowed<Uuid>,
    /// Whether it is told.
    enabled: Option<bool>,
}

impl FromFields for SubscriptionChange {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
        Ok(Self {
            connector_id: optional_id(fields, "connector_id")?,
            kinds: kinds(fields)?,
            projects: projects(fields)?,
            enabled: fields.boolean("enabled")?,
        })
    }
}

/// Change a subscription
///
/// A field that is absent keeps its value. How far it was told stays; one that fails is tried again at once.
#[utoipa::path(
    put, path = "/api/events/subscriptions/{subscription_id}", tag = "events",
    operation_id = "event_subscriptions_update",
    params(("subscription_id" = uuid::Uuid, Path, description = "From its creation or the list")),
    request_body = SubscriptionChange,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The subscription as it is now", body = SubscriptionRecord),
        (status = 403, description = "A permission is missing, or not a member of the projects", body = ErrorBody),
        (status = 404, description = "No such subscription, or no such project", body = ErrorBody),
        (status = 409, description = "The connector is subscribed already, or others change it", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    PathId(id): PathId,
    Body(change): Body<SubscriptionChange>,
) -> Answer<SubscriptionRecord> {
    let before = stored(&app, &caller, id).await?;
    if let Some(connector) = change.connector_id {
        webhook(&app, &caller, connector).await?;
    }
    if let Some(projects) = &change.projects {
        may_see(&app, &caller, projects.as_ref()).await?;
    }
    let mut tx = audit::begin(&app).await?;
    let after = write(&mut tx, &before, change, app.clock.now()).await?;
    let details = audit::changes(&written(&before)?, &written(&after)?);
    audit::commit(tx, &caller, "CONNECTORS:UPDATE_EVENT_SUBSCRIPTION", id, details).await?;
    app.events_pending.notify_one();
    Ok(Json(record(&app, &after).await?))
}

async fn write(
    tx: &mut Tx,
    before: &EventSubscription,
    change: SubscriptionChange,
    now: Timestamp,
) -> Result<EventSubscription, Error> {
    let kinds = change.kinds.map_or_else(|| Ok(before.kinds.clone()), |kinds| as_stored(kinds.as_ref()))?;
    let projects = change
        .projects
        .map_or_else(|| Ok(before.projects.clone()), |projects| as_stored(projects.as_ref()))?;
    let text = SubscriptionText {
        kinds: kinds.as_deref(),
        projects: projects.as_deref(),
        enabled: change.enabled.unwrap_or(before.enabled),
    };
    let connector = change.connector_id.unwrap_or(before.connector_id);
    match tx.update_event_subscription(before, connector, text, now).await? {
        Changed::Done(subscription) => Ok(subscription),
        Changed::NameTaken => Err(Error::conflict("connector is subscribed already")),
        Changed::Stale => Err(Error::conflict("the subscription is being changed by others, try again")),
        Changed::Missing => Err(Error::not_found("event subscription")),
    }
}
