//! Alert rules: what they watch, and where they send messages.

use uuid::Uuid;

use crate::db::Tx;
use crate::name::{name_key, storable};
use crate::{Changed, Created, Db, Result, Timestamp};

/// Maximum number of rules of an organization.
pub const MAX_ALERT_RULES: i64 = 50;

/// An alert rule and its state.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct AlertRule {
    /// Organization.
    pub org_id: Uuid,
    /// Identifier.
    pub id: Uuid,
    /// Name, unique in the organization when trimmed and case-folded.
    pub name: String,
    /// True if the rule is evaluated.
    pub enabled: bool,
    /// Project that it watches, possibly deleted; `None` for the whole organization.
    pub project_id: Option<Uuid>,
    /// Condition: a JSON object.
    pub condition: String,
    /// Connectors that receive messages: a JSON array of identifiers.
    pub channels: String,
    /// Addresses that receive e-mail: a JSON array.
    pub recipients: String,
    /// Seconds from an alert until the next one at the earliest.
    pub cooldown: i64,
    /// Version: 1 at first, incremented by every change of the fields above.
    pub version: i64,
    /// `ok` or `firing`.
    pub state: String,
    /// Time at which it began to fire; `None` unless it fires.
    pub firing_since: Option<Timestamp>,
    /// Time of the last alert.
    pub last_fired_at: Option<Timestamp>,
    /// Sentence about the last evaluation.
    pub summary: Option<String>,
    /// Time of the last evaluation.
    pub checked_at: Option<Timestamp>,
    /// Time of the next evaluation.
    pub next_check_at: Timestamp,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// Fields of a rule to write.
#[derive(Clone, Copy, Debug)]
pub struct AlertFields<'a> {
    /// Name.
    pub name: &'a str,
    /// True if the rule is evaluated.
    pub enabled: bool,
    /// See [`AlertRule::project_id`].
    pub project_id: Option<Uuid>,
    /// See [`AlertRule::condition`].
    pub condition: &'a str,
    /// See [`AlertRule::channels`].
    pub channels: &'a str,
    /// See [`AlertRule::recipients`].
    pub recipients: &'a str,
    /// See [`AlertRule::cooldown`].
    pub cooldown: i64,
}

macro_rules! rule_columns {
    () => {
        "org_id, id, name, enabled, project_id, condition, channels, recipients, cooldown, version, state, firing_since,
         last_fired_at, summary, checked_at, next_check_at, created_at, updated_at"
    };
}
pub(super) use rule_columns;

impl Tx {
    /// Creates a rule, which is due at once; `(org_id, id)` identify it. Returns `None` when the organization has
    /// [`MAX_ALERT_RULES`].
    pub async fn create_alert_rule(
        &mut self,
        (org_id, id): (Uuid, Uuid),
        fields: AlertFields<'_>,
        now: Timestamp,
    ) -> Result<Option<Created<AlertRule>>> {
        // Of two concurrent creations, the second counts the first.
        self.lock_balance(org_id).await?;
        let made = on!(self.connection(), |c| {
            let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM alert_rules WHERE org_id = $1")
                .bind(org_id)
                .fetch_one(&mut *c)
                .await?;
            if count >= MAX_ALERT_RULES {
                return Ok(None);
            }
            sqlx::query_as(concat!(
                "INSERT INTO alert_rules (org_id, id, name, name_key, enabled, project_id, condition, channels, recipients,
                 cooldown, version, state, next_check_at, created_at, updated_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, 'ok', $11, $11, $11)
                 ON CONFLICT (org_id, name_key) DO NOTHING RETURNING ",
                rule_columns!()
            ))
            .bind(org_id)
            .bind(id)
            .bind(storable(fields.name.trim()))
            .bind(name_key(fields.name))
            .bind(fields.enabled)
            .bind(fields.project_id)
            .bind(fields.condition)
            .bind(fields.channels)
            .bind(fields.recipients)
            .bind(fields.cooldown)
            .bind(now)
            .fetch_optional(c)
            .await?
        });
        Ok(Some(made.map_or(Created::NameTaken, Created::Done)))
    }

    /// Overwrites the version that was read. The rule begins anew: it is due at once, does not fire, and the cooldown
    /// of its last alert is over. Returns `Stale` when a newer version exists.
    pub async fn update_alert_rule(
        &mut self,
        read: &AlertRule,
        fields: AlertFields<'_>,
        now: Timestamp,
    ) -> Result<Changed<AlertRule>> {
        let changed = Changed::from_update(on!(self.connection(), |c| {
            sqlx::query_as(concat!(
                "UPDATE alert_rules SET name = $4, name_key = $5, enabled = $6, project_id = $7, condition = $8,
                 channels = $9, recipients = $10, cooldown = $11, version = version + 1, state = 'ok',
                 firing_since = NULL, last_fired_at = NULL, summary = NULL, checked_at = NULL, next_check_at = $12,
                 updated_at = $12
                 WHERE org_id = $1 AND id = $2 AND version = $3 RETURNING ",
                rule_columns!()
            ))
            .bind(read.org_id)
            .bind(read.id)
            .bind(read.version)
            .bind(storable(fields.name.trim()))
            .bind(name_key(fields.name))
            .bind(fields.enabled)
            .bind(fields.project_id)
            .bind(fields.condition)
            .bind(fields.channels)
            .bind(fields.recipients)
            .bind(fields.cooldown)
            .bind(now)
            .fetch_optional(c)
            .await
        }))?;
        if changed == Changed::Missing && self.has_alert_rule(read.org_id, read.id).await? {
            return Ok(Changed::Stale);
        }
        Ok(changed)
    }

    async fn has_alert_rule(&mut self, org_id: Uuid, id: Uuid) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM alert_rules WHERE org_id = $1 AND id = $2)")
                .bind(org_id)
                .bind(id)
                .fetch_one(c)
                .await?
        }))
    }

    /// Deletes a rule with its deliveries. Returns false when the organization has no such rule.
    pub async fn delete_alert_rule(&mut self, org_id: Uuid, id: Uuid) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query("DELETE FROM alert_rules WHERE org_id = $1 AND id = $2")
                .bind(org_id)
                .bind(id)
                .execute(c)
                .await?
                .rows_affected()
                == 1
        }))
    }
}

impl Db {
    /// Returns the rule with that identifier.
    pub async fn alert_rule(&self, org_id: Uuid, id: Uuid) -> Result<Option<AlertRule>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                rule_columns!(),
                " FROM alert_rules WHERE org_id = $1 AND id = $2"
            ))
            .bind(org_id)
            .bind(id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Lists an organization's rules by name.
    pub async fn alert_rules(&self, org_id: Uuid) -> Result<Vec<AlertRule>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                rule_columns!(),
                " FROM alert_rules WHERE org_id = $1 ORDER BY name_key"
            ))
            .bind(org_id)
            .fetch_all(pool)
            .await?
        }))
    }
}
