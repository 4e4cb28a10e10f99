//! The subscription object of responses.

use std::collections::BTreeSet;

use guardengine_auth::Principal;
use guardengine_store::{EventSubscription, Timestamp};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use super::request::may_see;
use crate::{app::Tenants, http::Error};

/// A webhook subscription and its delivery state.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubscriptionRecord {
    subscription_id: Uuid,
    /// Webhook connector.
    connector_id: Uuid,
    /// Event types to deliver; null for all.
    kinds: Option<BTreeSet<String>>,
    /// Projects whose events are delivered; null for all events of the organization.
    projects: Option<BTreeSet<Uuid>>,
    /// True if events are delivered.
    enabled: bool,
    /// Number of the last event that was delivered or skipped.
    cursor: i64,
    /// Number of events of the organization, of any type, after the cursor.
    lag: i64,
    /// Start of the current delivery failure; null if deliveries succeed.
    #[schema(value_type = Option<String>, format = DateTime)]
    failing_since: Option<Timestamp>,
    /// Error of the last attempt; null if it succeeded.
    last_error: Option<String>,
    /// Time of the next attempt; null if nothing failed.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_attempt_at: Option<Timestamp>,
    /// Time of the last successful delivery.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_delivered_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl SubscriptionRecord {
    /// Builds the record; `newest` is the number of the organization's newest event.
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

/// Parses a stored JSON set.
fn set<T: DeserializeOwned + Ord>(stored: Option<&str>) -> Result<Option<BTreeSet<T>>, Error> {
    stored.map(serde_json::from_str).transpose().map_err(Error::internal)
}

/// Returns the subscription with this identifier in the caller's organization, or 404.
pub async fn stored(tenants: &Tenants, caller: &Principal, id: Uuid) -> Result<EventSubscription, Error> {
    let found = tenants.db.event_subscription(caller.org_id, id).await?;
    found.ok_or_else(|| Error::not_found("event subscription"))
}

/// Returns an error unless the caller may see all events that a subscription delivers: whoever decides where they go can
/// read them.
pub async fn may_redirect(
    tenants: &Tenants,
    caller: &Principal,
    subscription: &EventSubscription,
) -> Result<(), Error> {
    if caller.sees_all_projects() {
        return Ok(());
    }
    may_see(tenants, caller, set(subscription.projects.as_deref())?.as_ref()).await
}

/// Returns the current record of a subscription.
pub async fn record(
    tenants: &Tenants,
    subscription: &EventSubscription,
) -> Result<SubscriptionRecord, Error> {
    let newest = tenants.db.last_event_sequence(subscription.org_id).await?;
    SubscriptionRecord::of(subscription, newest)
}

/// The fields that the audit trail compares.
pub fn written(subscription: &EventSubscription) -> Result<Value, Error> {
    Ok(json!({
        "connector_id": subscription.connector_id,
        "kinds": set::<String>(subscription.kinds.as_deref())?,
        "projects": set::<Uuid>(subscription.projects.as_deref())?,
        "enabled": subscription.enabled,
    }))
}
