//! Who is told of events, over which webhook.

use uuid::Uuid;

use crate::{Changed, Created, Db, Result, Timestamp};

/// A webhook that is told of events, and how far it was told.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct EventSubscription {
    /// Its organisation.
    pub org_id: Uuid,
    /// Its id.
    pub id: Uuid,
    /// The connector that is told; no other subscription has it.
    pub connector_id: Uuid,
    /// The kinds that it is told of, a JSON array of names; `None` for all.
    pub kinds: Option<String>,
    /// The projects whose events it is told of, a JSON array of ids; `None` for everything.
    pub projects: Option<String>,
    /// Whether it is told.
    pub enabled: bool,
    /// 1 for the first, one more with every change of what stands above.
    pub version: i64,
    /// The number of the last event that is done with.
    pub position: i64,
    /// How often somebody set the position.
    pub replays: i64,
    /// How often it was claimed.
    pub claims: i64,
    /// Until when the last claim holds.
    pub leased_until: Timestamp,
    /// It is left alone until then.
    pub next_attempt_at: Timestamp,
    /// Attempts that failed since one that did not.
    pub failures: i64,
    /// When the first of them failed.
    pub failing_since: Option<Timestamp>,
    /// Why the last one did, for people.
    pub last_error: Option<String>,
    /// When an event arrived last.
    pub last_delivered_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

/// What a subscription is to be.
#[derive(Clone, Copy, Debug)]
pub struct SubscriptionText<'a> {
    /// As [`EventSubscription::kinds`].
    pub kinds: Option<&'a str>,
    /// As [`EventSubscription::projects`].
    pub projects: Option<&'a str>,
    /// As [`EventSubscription::enabled`].
    pub enabled: bool,
}

macro_rules! subscription_columns {
    () => {
        "org_id, id, connector_id, kinds, projects, enabled, version, position, replays, claims, leased_until,
         next_attempt_at, failures, failing_since, last_error, last_delivered_at, created_at, updated_at"
    };
}
pub(crate) use subscription_columns;

impl Db {
    /// Makes a subscription that is told of what happens from now on; `NameTaken` where its connector has one. A
    /// connector that is not there is a dangling reference.
    pub async fn create_event_subscription(
        &self,
        (org_id, id): (Uuid, Uuid),
        connector_id: Uuid,
        text: SubscriptionText<'_>,
        now: Timestamp,
    ) -> Result<Created<EventSubscription>> {
        let made: Option<EventSubscription> = on!(self.writer(), |pool| {
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
            .bind(text.kinds)
            .bind(text.projects)
            .bind(text.enabled)
            .bind(now)
            .fetch_optional(pool)
            .await?
        });
        Ok(made.map_or(Created::NameTaken, Created::Done))
    }

    /// The subscription with that id.
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

    /// The subscriptions of an organisation, in the order in which they were made.
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

    /// The subscription that a connector has.
    pub async fn subscription_of_connector(&self, org_id: Uuid, connector_id: Uuid) -> Result<Option<Uuid>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_scalar("SELECT id FROM event_subscriptions WHERE org_id = $1 AND connector_id = $2")
                .bind(org_id)
                .bind(connector_id)
                .fetch_optional(pool)
                .await?
        }))
    }

    /// Writes over the version that was read, and has it tried at once; `Stale` when that is not the newest any more,
    /// `NameTaken` where another one has the connector.
    pub async fn update_event_subscription(
        &self,
        read: &EventSubscription,
        connector_id: Uuid,
        text: SubscriptionText<'_>,
        now: Timestamp,
    ) -> Result<Changed<EventSubscription>> {
        let changed = Changed::from_update(on!(self.writer(), |pool| {
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
            .bind(text.kinds)
            .bind(text.projects)
            .bind(text.enabled)
            .bind(now)
            .fetch_optional(pool)
            .await
        }))?;
        if changed == Changed::Missing && self.event_subscription(read.org_id, read.id).await?.is_some() {
            return Ok(Changed::Stale);
        }
        Ok(changed)
    }

    /// Deletes a subscription; false where there is none.
    pub async fn delete_event_subscription(&self, org_id: Uuid, id: Uuid) -> Result<bool> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query("DELETE FROM event_subscriptions WHERE org_id = $1 AND id = $2")
                .bind(org_id)
                .bind(id)
                .execute(pool)
                .await?
                .rows_affected()
                == 1
        }))
    }

    /// Has a subscription told of everything after that number, from now on; `None` where there is none.
    pub async fn replay_events(
        &self,
        org_id: Uuid,
        id: Uuid,
        position: i64,
        now: Timestamp,
    ) -> Result<Option<EventSubscription>> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query_as(concat!(
                "UPDATE event_subscriptions SET position = $3, replays = replays + 1, next_attempt_at = $4,
                 updated_at = $4 WHERE org_id = $1 AND id = $2 RETURNING ",
                subscription_columns!()
            ))
            .bind(org_id)
            .bind(id)
            .bind(position)
            .bind(now)
            .fetch_optional(pool)
            .await?
        }))
    }
}
