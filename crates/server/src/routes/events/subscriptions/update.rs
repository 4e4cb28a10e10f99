use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_integrations::Integrations;
use guardengine_store::{Changed, EventSubscription, SubscriptionFields, Timestamp, Tx};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    request::{Narrowed, kinds, may_see, projects, stored as as_stored, webhook},
    response::{SubscriptionRecord, may_redirect, record, stored, written},
};
use crate::{
    app::Tenants,
    diff::diff,
    http::{Answer, Body, Caller, Error, FromFields, Json, PathId, optional_id},
};

/// Fields to change. Absent fields keep their value.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "enabled": false }))]
pub struct SubscriptionChange {
    /// Identifier of a webhook connector without a subscription.
    connector_id: Option<Uuid>,
    /// Event types to deliver; null for all.
    #[schema(value_type = Option<Vec<crate::schemas::EventKind>>, min_items = 1, max_items = 14)]
    kinds: Narrowed<String>,
    /// Projects whose events are delivered; null for all events of the organization.
    #[schema(value_type = Option<Vec<Uuid>>, min_items = 1)]
    projects: Narrowed<Uuid>,
    /// True if events are delivered.
    enabled: Option<bool>,
}

impl FromFields for SubscriptionChange {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            connector_id: optional_id(fields, "connector_id")?,
            kinds: kinds(fields)?,
            projects: projects(fields)?,
            enabled: fields.boolean("enabled")?,
        })
    }
}

/// Update a subscription
///
/// Absent fields keep their value. The delivery position stays. A failing delivery is retried at once. The caller must be a
/// member of the projects that the subscription has, and of those that it gets.
#[utoipa::path(
    put, path = "/api/events/subscriptions/{subscription_id}", tag = "events",
    operation_id = "event_subscriptions_update",
    params(("subscription_id" = uuid::Uuid, Path, description = "Subscription identifier")),
    request_body = SubscriptionChange,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The updated subscription", body = SubscriptionRecord),
        (status = 403, description = "Missing permission, or not a member of the projects", body = ErrorBody),
        (status = 404, description = "Subscription or project not found", body = ErrorBody),
        (status = 409, description = "The connector already has a subscription, or a concurrent change", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Body(change): Body<SubscriptionChange>,
) -> Answer<SubscriptionRecord> {
    let before = stored(&tenants, &caller, id).await?;
    may_redirect(&tenants, &caller, &before).await?;
    if let Some(connector) = change.connector_id {
        webhook(&tenants, &caller, connector).await?;
    }
    if let Some(projects) = &change.projects {
        may_see(&tenants, &caller, projects.as_ref()).await?;
    }
    let mut tx = tenants.audited().await?;
    let after = write(&mut tx, &before, change, tenants.clock.now()).await?;
    let details = diff(&written(&before)?, &written(&after)?);
    audit::commit(tx, &caller, "CONNECTORS:UPDATE_EVENT_SUBSCRIPTION", id, details).await?;
    integrations.events_pending.notify_one();
    Ok(Json(record(&tenants, &after).await?))
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
    let text = SubscriptionFields {
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
