//! Connectors: third-party systems that an organization integrates with.

use uuid::Uuid;

use crate::db::Tx;
use crate::name::{name_key, storable};
use crate::{Changed, Created, Db, Deleted, NewEvent, Result, Timestamp};

/// A connector.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Connector {
    /// Identifier.
    pub id: Uuid,
    /// Organization.
    pub org_id: Uuid,
    /// Wire name of its type.
    pub connector_type: String,
    /// Name, unique in the organization when trimmed and case-folded.
    pub name: String,
    /// True if the connector may be used.
    pub enabled: bool,
    /// Readable settings: a JSON object by field.
    pub settings: String,
    /// Secrets: a JSON object by field, each value sealed and in base64.
    pub secrets: String,
    /// Version: 1 at first, incremented by every change of settings or secrets.
    pub version: i64,
    /// Result of the last check or use: `active` or `error`.
    pub status: String,
    /// Number of failed checks or uses since the last success.
    pub failures: i64,
    /// Error message of the last failure.
    pub last_error: Option<String>,
    /// Time of the last check or use.
    pub last_checked_at: Option<Timestamp>,
    /// Time of the next check.
    pub next_check_at: Timestamp,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// Fields of a connector to write.
#[derive(Clone, Copy, Debug)]
pub struct ConnectorFields<'a> {
    /// Name.
    pub name: &'a str,
    /// True if the connector may be used.
    pub enabled: bool,
    /// See [`Connector::settings`].
    pub settings: &'a str,
    /// See [`Connector::secrets`].
    pub secrets: &'a str,
    /// Time of the next check.
    pub check_at: Timestamp,
}

/// Result of a health check.
#[derive(Clone, Copy, Debug)]
pub struct CheckResult<'a> {
    /// Error message; `None` for success.
    pub error: Option<&'a str>,
    /// Time at which the check began. A result does not replace that of a check that began later.
    pub at: Timestamp,
    /// Time of the next check.
    pub next: Timestamp,
    /// Event to emit if the status changes.
    pub event: Option<&'a NewEvent>,
}

impl Connector {
    /// A new connector with status `active`.
    pub fn new(
        id: Uuid,
        org_id: Uuid,
        connector_type: &str,
        fields: ConnectorFields<'_>,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            org_id,
            connector_type: connector_type.to_owned(),
            name: storable(fields.name.trim()).into_owned(),
            enabled: fields.enabled,
            settings: fields.settings.to_owned(),
            secrets: fields.secrets.to_owned(),
            version: 1,
            status: "active".to_owned(),
            failures: 0,
            last_error: None,
            last_checked_at: None,
            next_check_at: fields.check_at,
            created_at: now,
            updated_at: now,
        }
    }
}

macro_rules! connector_columns {
    () => {
        "id, org_id, connector_type, name, enabled, settings, secrets, version, status, failures, last_error,
         last_checked_at, next_check_at, created_at, updated_at"
    };
}

/// Statements that hold the connectors which an owner, such as a policy, uses.
pub(crate) struct UsedBy {
    /// Lets go of those of the owner `$1`.
    pub delete: &'static str,
    /// Lets the owner `$1` of the organization `$2` use the connector `$3`, or the one `$4` if the organization has none
    /// of this id.
    pub insert: &'static str,
}

impl Tx {
    /// Replaces the connectors that an owner uses; `(org_id, id)` identify it. One that is not (or no longer) the
    /// organization's becomes a dangling reference, by the nil UUID, which no connector has.
    pub(crate) async fn replace_connectors(
        &mut self,
        used_by: &UsedBy,
        (org_id, id): (Uuid, Uuid),
        connectors: &[Uuid],
    ) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(used_by.delete).bind(id).execute(&mut *c).await?;
            for connector in connectors {
                let insert = sqlx::query(used_by.insert).bind(id).bind(org_id).bind(connector);
                insert.bind(Uuid::nil()).execute(&mut *c).await?;
            }
        });
        Ok(())
    }

    /// Deletes a connector. Returns `InUse` with the names of the policies that use it; the list is empty when only
    /// gateways of projects or an event subscription do.
    pub async fn delete_connector(&mut self, org_id: Uuid, id: Uuid) -> Result<Deleted> {
        // PostgreSQL refuses every statement after a failed one, up to the last savepoint.
        self.execute("SAVEPOINT before_deletion").await?;
        let deleted = on!(self.connection(), |c| {
            sqlx::query("DELETE FROM connectors WHERE org_id = $1 AND id = $2")
                .bind(org_id)
                .bind(id)
                .execute(c)
                .await
                .map(|deleted| deleted.rows_affected())
        });
        match deleted {
            Ok(1) => Ok(Deleted::Done),
            Ok(_) => Ok(Deleted::Missing),
            Err(sqlx::Error::Database(error)) if error.is_foreign_key_violation() => {
                self.execute("ROLLBACK TO SAVEPOINT before_deletion").await?;
                Ok(Deleted::InUse(self.policies_using_connector(org_id, id).await?))
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn policies_using_connector(&mut self, org_id: Uuid, id: Uuid) -> Result<Vec<String>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar(
                "SELECT name FROM policies JOIN policy_connectors ON policy_id = policies.id
                 WHERE org_id = $1 AND connector_id = $2 ORDER BY name_key",
            )
            .bind(org_id)
            .bind(id)
            .fetch_all(c)
            .await?
        }))
    }

    /// Overwrites the version that was read. Returns `Stale` when a newer version exists.
    pub async fn update_connector(
        &mut self,
        read: &Connector,
        fields: ConnectorFields<'_>,
        now: Timestamp,
    ) -> Result<Changed<Connector>> {
        let changed = Changed::from_update(on!(self.connection(), |c| {
            sqlx::query_as(concat!(
                "UPDATE connectors SET name = $4, name_key = $5, enabled = $6, settings = $7, secrets = $8,
                 updated_at = $9, next_check_at = $10, version = version + 1
                 WHERE org_id = $1 AND id = $2 AND version = $3 RETURNING ",
                connector_columns!()
            ))
            .bind(read.org_id)
            .bind(read.id)
            .bind(read.version)
            .bind(storable(fields.name.trim()))
            .bind(name_key(fields.name))
            .bind(fields.enabled)
            .bind(fields.settings)
            .bind(fields.secrets)
            .bind(now)
            .bind(fields.check_at)
            .fetch_optional(c)
            .await
        }))?;
        if changed == Changed::Missing && self.has_connector(read.org_id, read.id).await? {
            return Ok(Changed::Stale);
        }
        Ok(changed)
    }

    async fn has_connector(&mut self, org_id: Uuid, id: Uuid) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM connectors WHERE org_id = $1 AND id = $2)")
                .bind(org_id)
                .bind(id)
                .fetch_one(c)
                .await?
        }))
    }

    /// Creates a connector made by [`Connector::new`].
    pub async fn create_connector(&mut self, new: Connector) -> Result<Created<Connector>> {
        let inserted = on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO connectors (id, org_id, connector_type, name, name_key, enabled, settings, secrets,
                 version, status, failures, next_check_at, created_at, updated_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
                 ON CONFLICT (org_id, name_key) DO NOTHING",
            )
            .bind(new.id)
            .bind(new.org_id)
            .bind(&new.connector_type)
            .bind(&new.name)
            .bind(name_key(&new.name))
            .bind(new.enabled)
            .bind(&new.settings)
            .bind(&new.secrets)
            .bind(new.version)
            .bind(&new.status)
            .bind(new.failures)
            .bind(new.next_check_at)
            .bind(new.created_at)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        });
        Ok(Created::when(inserted, new))
    }

    /// Records the result of a check of one version, unless a check that began later has a result already. Returns the
    /// connector, or `None` when it has changed since.
    pub async fn record_check(
        &mut self,
        checked: &Connector,
        result: CheckResult<'_>,
    ) -> Result<Option<Connector>> {
        let status = if result.error.is_some() { "error" } else { "active" };
        let before = self.lock_connector_status(checked).await?;
        let now: Option<Connector> = on!(self.connection(), |c| {
            sqlx::query_as(concat!(
                "UPDATE connectors SET status = $4, last_error = $5, last_checked_at = $6, next_check_at = $7,
                 failures = CASE WHEN $8 THEN failures + 1 ELSE 0 END
                 WHERE org_id = $1 AND id = $2 AND version = $3
                 AND (last_checked_at IS NULL OR last_checked_at <= $6) RETURNING ",
                connector_columns!()
            ))
            .bind(checked.org_id)
            .bind(checked.id)
            .bind(checked.version)
            .bind(status)
            .bind(result.error.map(storable))
            .bind(result.at)
            .bind(result.next)
            .bind(result.error.is_some())
            .fetch_optional(c)
            .await?
        });
        if now.is_none() {
            return self.checked_version(checked).await;
        }
        if let Some(event) = result.event.filter(|_| before.is_some_and(|before| before != status)) {
            self.insert_events(checked.org_id, std::slice::from_ref(event)).await?;
        }
        Ok(now)
    }

    /// Returns the connector, unless it has changed since it was checked.
    async fn checked_version(&mut self, checked: &Connector) -> Result<Option<Connector>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_as(concat!(
                "SELECT ",
                connector_columns!(),
                " FROM connectors WHERE org_id = $1 AND id = $2 AND version = $3"
            ))
            .bind(checked.org_id)
            .bind(checked.id)
            .bind(checked.version)
            .fetch_optional(c)
            .await?
        }))
    }

    /// Returns the status of a connector's version and locks its row: of concurrent checks, each sees the result of
    /// the one before.
    async fn lock_connector_status(&mut self, checked: &Connector) -> Result<Option<String>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar::<_, String>(
                "UPDATE connectors SET status = status WHERE org_id = $1 AND id = $2 AND version = $3 RETURNING status",
            )
            .bind(checked.org_id)
            .bind(checked.id)
            .bind(checked.version)
            .fetch_optional(c)
            .await?
        }))
    }
}

impl Db {
    /// Returns the connector with that identifier.
    pub async fn connector(&self, org_id: Uuid, id: Uuid) -> Result<Option<Connector>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                connector_columns!(),
                " FROM connectors WHERE org_id = $1 AND id = $2"
            ))
            .bind(org_id)
            .bind(id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Lists an organization's connectors by name.
    pub async fn connectors(&self, org_id: Uuid) -> Result<Vec<Connector>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                connector_columns!(),
                " FROM connectors WHERE org_id = $1 ORDER BY name_key"
            ))
            .bind(org_id)
            .fetch_all(pool)
            .await?
        }))
    }

    /// Claims up to `limit` enabled connectors that are due for a check, of all organizations, longest overdue first.
    /// Their next check moves to `busy_until`, so that no other replica checks them meanwhile.
    pub async fn claim_due_connectors(
        &self,
        now: Timestamp,
        busy_until: Timestamp,
        limit: u16,
    ) -> Result<Vec<Connector>> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query_as(concat!(
                "UPDATE connectors SET next_check_at = $2 WHERE next_check_at <= $1 AND id IN
                 (SELECT id FROM connectors WHERE enabled AND next_check_at <= $1 ORDER BY next_check_at LIMIT $3)
                 RETURNING ",
                connector_columns!()
            ))
            .bind(now)
            .bind(busy_until)
            .bind(i64::from(limit))
            .fetch_all(pool)
            .await?
        }))
    }

    /// Like [`Tx::record_check`], in a transaction of its own and without an audit entry.
    pub async fn record_check(
        &self,
        checked: &Connector,
        result: CheckResult<'_>,
    ) -> Result<Option<Connector>> {
        let mut tx = self.write().await?;
        let outcome = tx.record_check(checked, result).await?;
        tx.commit().await?;
        Ok(outcome)
    }
}
