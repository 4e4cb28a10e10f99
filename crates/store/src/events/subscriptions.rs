//! Event subscriptions: webhooks that receive events.

use uuid::Uuid;

use crate::db::Tx;
use crate::{Changed, Created, Db, Result, Timestamp};

/// A webhook that receives events, with its delivery progress.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct EventSubscription {
    /// Organization.
    pub org_id: Uuid,
    /// Identifier.
    pub id: Uuid,
    /// Connector that receives the events; it has no other subscription.
    pub connector_id: Uuid,
    /// Event types, as a JSON array of names; `None` for all.
    pub kinds: Option<String>,
    /// Projects, as a JSON array of identifiers; `None` for all events, with or without a project.
    pub projects: Option<String>,
    /// True if events are delivered.
    pub enabled: bool,
    /// Version: 1 at first, incremented by every change of the fields above.
    pub version: i64,
    /// Sequence of the last event that is done.
    pub position: i64,
    /// Number of times that a user has set the position.
    pub replays: i64,
    /// Number of claims.
    pub claims: i64,
    /// End of the last claim.
    pub leased_until: Timestamp,
    /// Time of the next attempt.
    pub next_attempt_at: Timestamp,
    /// Number of failed attempts since the last success.
    pub failures: i64,
    /// Time of the first of them.
    pub failing_since: Option<Timestamp>,
    /// Error message of the last one.
    pub last_error: Option<String>,
    /// Time of the last delivery.
    pub last_delivered_at: Option<Timestamp>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// Fields of a subscription to write.
#[derive(Clone, Copy, Debug)]
pub struct SubscriptionFields<'a> {
    /// See [`EventSubscription::kinds`].
    pub kinds: Option<&'a str>,
    /// See [`EventSubscription::projects`].
    pub projects: Option<&'a str>,
    /// See [`EventSubscription::enabled`].
    pub enabled: bool,
}

macro_rules! subscription_columns {
    () => {
        "org_id, id, connector_id, kinds, projects, enabled, version, position, replays, claims, leased_until,
         next_attempt_at, failures, failing_since, last_error, last_delivered_at, created_at, updated_at"
    };
}
pub(crate) use subscription_columns;

impl Tx {
    /// Overwrites the version that was read and makes it due at once. Returns `Stale` when a newer version exists, and
    /// `NameTaken` when another subscription has the connector.
    pub async fn update_event_subscription(
        &mut self,
        read: &EventSubscription,
        connector_id: Uuid,
        fields: SubscriptionFields<'_>,
        now: Timestamp,
    ) -> Result<Changed<EventSubscription>> {
        let changed = Changed::from_update(on!(self.connection(), |c| {
            sqlx::query_as(concat!(
                "UPDATE event_subscriptions SET connector_id = $4, kinds = $5, projects = $6, enabled = $7,
                 updated_at = $8, next_attempt_at = $8, version = version + 1
                 WHERE org_id = $1 AND id = $2 AND version = $3 RETURNING ",
                subscription_columns!()
            ))
            .bind(read.org_id)
            .bind(read.id)
            .bind(read.version)
            .bind(connector_id)
            .bind(fields.kinds)
            .bind(fields.projects)
            .bind(fields.enabled)
            .bind(now)
            .fetch_optional(c)
            .await
        }))?;
        if changed == Changed::Missing && self.has_event_subscription(read.org_id, read.id).await? {
            return Ok(Changed::Stale);
        }
        Ok(changed)
    }

    async fn has_event_subscription(&mut self, org_id: Uuid, id: Uuid) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar(
                "SELECT EXISTS (SELECT 1 FROM event_subscriptions WHERE org_id = $1 AND id = $2)",
            )
            .bind(org_id)
            .bind(id)
            .fetch_one(c)
            .await?
        }))
    }

    /// Creates a subscription for events from now on. Returns `NameTaken` when its connector already has one. A
    /// missing connector is a dangling reference.
    pub async fn create_event_subscription(
        &mut self,
        (org_id, id): (Uuid, Uuid),
        connector_id: Uuid,
        fields: SubscriptionFields<'_>,
        now: Timestamp,
    ) -> Result<Created<EventSubscription>> {
        let made: Option<EventSubscription> = on!(self.connection(), |c| {
            sqlx::query_as(concat!(
                "INSERT INTO event_subscriptions (org_id, id, connector_id, kinds, projects, enabled, version, position,
                 replays, claims, leased_until, next_attempt_at, failures, created_at, updated_at)
                 SELECT $1, $2, $3, $4, $5, $6, 1, event_count, 0, 0, $7, $7, 0, $7, $7 FROM orgs WHERE id = $1
                 ON CONFLICT (connector_id) DO NOTHING RETURNING ",
                subscription_columns!()
            ))
            .bind(org_id)
            .bind(id)
            .bind(connector_id)
            .bind(fields.kinds)
            .bind(fields.projects)
            .bind(fields.enabled)
            .bind(now)
            .fetch_optional(c)
            .await?
        });
        Ok(made.map_or(Created::NameTaken, Created::Done))
    }

    /// Deletes a subscription. Returns false when it does not exist.
    pub async fn delete_event_subscription(&mut self, org_id: Uuid, id: Uuid) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query("DELETE FROM event_subscriptions WHERE org_id = $1 AND id = $2")
                .bind(org_id)
                .bind(id)
                .execute(c)
                .await?
                .rows_affected()
                == 1
        }))
    }

    /// Sets a subscription's position, so that it receives every event after it, from now on. Returns `None` when it
    /// does not exist.
    pub async fn replay_events(
        &mut self,
        org_id: Uuid,
        id: Uuid,
        position: i64,
        now: Timestamp,
    ) -> Result<Option<EventSubscription>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_as(concat!(
                "UPDATE event_subscriptions SET position = $3, replays = replays + 1, next_attempt_at = $4,
                 updated_at = $4 WHERE org_id = $1 AND id = $2 RETURNING ",
                subscription_columns!()
            ))
            .bind(org_id)
            .bind(id)
            .bind(position)
            .bind(now)
            .fetch_optional(c)
            .await?
        }))
    }
}

impl Db {
    /// Returns the subscription with that identifier.
    pub async fn event_subscription(&self, org_id: Uuid, id: Uuid) -> Result<Option<EventSubscription>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                subscription_columns!(),
                " FROM event_subscriptions WHERE org_id = $1 AND id = $2"
            ))
            .bind(org_id)
            .bind(id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Lists an organization's subscriptions in order of creation.
    pub async fn event_subscriptions(&self, org_id: Uuid) -> Result<Vec<EventSubscription>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                subscription_columns!(),
                " FROM event_subscriptions WHERE org_id = $1 ORDER BY id"
            ))
            .bind(org_id)
            .fetch_all(pool)
            .await?
        }))
    }

    /// Returns the subscription of a connector.
    pub async fn subscription_of_connector(&self, org_id: Uuid, connector_id: Uuid) -> Result<Option<Uuid>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_scalar("SELECT id FROM event_subscriptions WHERE org_id = $1 AND connector_id = $2")
                .bind(org_id)
                .bind(connector_id)
                .fetch_optional(pool)
                .await?
        }))
    }
}
