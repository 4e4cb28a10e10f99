//! A subscription as it is answered.

use std::collections::BTreeSet;

use guardengine_store::{EventSubscription, Timestamp};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    http::{Error, Principal},
};

/// A webhook that is told of events, and how far it was told.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubscriptionRecord {
    subscription_id: Uuid,
    /// The webhook.
    connector_id: Uuid,
    /// The kinds that it is told of; null for all.
    kinds: Option<BTreeSet<String>>,
    /// The projects whose events it is told of; null for everything that happens in the organisation.
    projects: Option<BTreeSet<Uuid>>,
    /// Whether it is told.
    enabled: bool,
    /// The number of the last event that is done with.
    cursor: i64,
    /// How many events of the organisation, of whatever kind, come after that.
    lag: i64,
    /// Since when nothing arrives; null while it does.
    #[schema(value_type = Option<String>, format = DateTime)]
    failing_since: Option<Timestamp>,
    /// Why the last attempt failed; null where it did not.
    last_error: Option<String>,
    /// When it is tried again; null where nothing failed.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_attempt_at: Option<Timestamp>,
    /// When an event arrived last.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_delivered_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl SubscriptionRecord {
    /// The record of a subscription of an organisation whose newest event has that number.
    pub fn of(subscription: &EventSubscription, newest: i64) -> Result<Self, Error> {
        let is_failing = subscription.failing_since.is_some();
        Ok(Self {
            subscription_id: subscription.id,
            connector_id: subscription.connector_id,
            kinds: set(subscription.kinds.as_deref())?,
            projects: set(subscription.projects.as_deref())?,
            enabled: subscription.enabled,
            cursor: subscription.position,
            lag: (newest - subscription.position).max(0),
            failing_since: subscription.failing_since,
            last_error: subscription.last_error.clone(),
            next_attempt_at: is_failing.then_some(subscription.next_attempt_at),
            last_delivered_at: subscription.last_delivered_at,
            created_at: subscription.created_at,
            updated_at: subscription.updated_at,
        })
    }
}

/// A set as it was stored.
fn set<T: DeserializeOwned + Ord>(stored: Option<&str>) -> Result<Option<BTreeSet<T>>, Error> {
    stored.map(serde_json::from_str).transpose().map_err(Error::internal)
}

/// The subscription with that id in the caller's organisation, or 404.
pub async fn stored(app: &App, caller: &Principal, id: Uuid) -> Result<EventSubscription, Error> {
    let found = app.db.event_subscription(caller.org_id, id).await?;
    found.ok_or_else(|| Error::not_found("event subscription"))
}

/// The record of one subscription, as things stand.
pub async fn record(app: &App, subscription: &EventSubscription) -> Result<SubscriptionRecord, Error> {
    let newest = app.db.last_event_sequence(subscription.org_id).await?;
    SubscriptionRecord::of(subscription, newest)
}

/// What the audit trail compares.
pub fn written(subscription: &EventSubscription) -> Result<Value, Error> {
    Ok(json!({
        "connector_id": subscription.connector_id,
        "kinds": set::<String>(subscription.kinds.as_deref())?,
        "projects": set::<Uuid>(subscription.projects.as_deref())?,
        "enabled": subscription.enabled,
    }))
}
