use std::collections::BTreeSet;

use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{Created, SubscriptionFields, new_id};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    request::{kinds, may_see, projects, stored, webhook},
    response::{SubscriptionRecord, record, written},
};
use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Error, FromFields, Json, optional_id},
};

/// A webhook subscription to create.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "connector_id": "01890a5d-ac96-774b-bcce-b302099a8057", "kinds": ["decision.blocked", "review.decided"] }))]
pub struct NewSubscription {
    /// Identifier of a webhook connector without a subscription.
    connector_id: Uuid,
    /// Event types to deliver; all if absent.
    #[schema(value_type = Option<Vec<crate::schemas::EventKind>>, min_items = 1, max_items = 14)]
    kinds: Option<BTreeSet<String>>,
    /// Projects whose events are delivered; all events of the organization if absent.
    #[schema(min_items = 1)]
    projects: Option<BTreeSet<Uuid>>,
    /// True if events are delivered. Default: true.
    #[schema(value_type = Option<bool>)]
    enabled: bool,
}

impl FromFields for NewSubscription {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let connector_id = optional_id(fields, "connector_id")?;
        Ok(Self {
            connector_id: connector_id.ok_or_else(|| FieldError::required("connector_id"))?,
            kinds: kinds(fields)?.flatten(),
            projects: projects(fields)?.flatten(),
            enabled: fields.boolean("enabled")?.unwrap_or(true),
        })
    }
}

/// Subscribe a webhook to events
///
/// Events from now on are delivered in order, at least once each, signed with the connector's secret.
#[utoipa::path(
    post, path = "/api/events/subscriptions", tag = "events", operation_id = "event_subscriptions_create",
    request_body = NewSubscription,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The subscription", body = SubscriptionRecord),
        (status = 403, description = "Missing permission, or not a member of the projects", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
        (status = 409, description = "The connector already has a subscription", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Body(new): Body<NewSubscription>,
) -> Answer<SubscriptionRecord> {
    webhook(&tenants, &caller, new.connector_id).await?;
    may_see(&tenants, &caller, new.projects.as_ref()).await?;
    let (kinds, projects) = (stored(new.kinds.as_ref())?, stored(new.projects.as_ref())?);
    let text =
        SubscriptionFields { kinds: kinds.as_deref(), projects: projects.as_deref(), enabled: new.enabled };
    let now = tenants.clock.now();
    let own = (caller.org_id, new_id(now));
    let mut tx = tenants.audited().await?;
    match tx.create_event_subscription(own, new.connector_id, text, now).await? {
        Created::Done(made) => {
            let details = written(&made)?;
            audit::commit(tx, &caller, "CONNECTORS:CREATE_EVENT_SUBSCRIPTION", made.id, details).await?;
            Ok(Json(record(&tenants, &made).await?))
        }
        Created::NameTaken => Err(Error::conflict("connector is subscribed already")),
    }
}
