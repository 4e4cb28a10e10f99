//! A health check over a connection of its own: a busy pool is not an outage.

use std::collections::HashMap;

use sqlx::{Connection as _, PgConnection, postgres::PgPool};
use uuid::Uuid;

use crate::{Db, Result};

/// Last sequence of each organization's audit trail.
pub type Heads = HashMap<Uuid, i64>;

/// A repeated health check.
pub struct Probe {
    pool: PgPool,
    connection: Option<PgConnection>,
}

impl Db {
    /// Returns a health check; `None` for SQLite, which is available as long as this process.
    pub fn probe(&self) -> Option<Probe> {
        match self {
            Self::Sqlite(_) => None,
            Self::Postgres(pool) => Some(Probe { pool: pool.clone(), connection: None }),
        }
    }
}

impl Probe {
    /// Returns the last sequences of the audit trails. Reconnects once when the connection is broken, so that a
    /// restarted database answers again. May hang as long as the network allows: callers set a timeout.
    pub async fn heads(&mut self) -> Result<Heads> {
        if let Some(mut connection) = self.connection.take()
            && let Ok(heads) = heads(&mut connection).await
        {
            self.connection = Some(connection);
            return Ok(heads);
        }
        let mut connection = self.connected().await?;
        let heads = heads(&mut connection).await?;
        self.connection = Some(connection);
        Ok(heads)
    }

    /// Returns whether the organization's audit trail has an entry after that sequence, other than sign-in and
    /// sign-out.
    pub async fn was_changed_after(&mut self, org_id: Uuid, sequence: i64) -> Result<bool> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connected().await?,
        };
        let is_changed = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM audit_entries WHERE org_id = $1 AND sequence > $2
             AND action NOT IN ('SESSIONS:SIGN_IN', 'SESSIONS:SIGN_OUT', 'SESSIONS:SIGN_IN_REFUSED'))",
        )
        .bind(org_id)
        .bind(sequence)
        .fetch_one(&mut connection)
        .await?;
        self.connection = Some(connection);
        Ok(is_changed)
    }

    async fn connected(&self) -> Result<PgConnection> {
        Ok(PgConnection::connect_with(&self.pool.connect_options()).await?)
    }
}

async fn heads(connection: &mut PgConnection) -> Result<Heads> {
    let heads: Vec<(Uuid, i64)> =
        sqlx::query_as("SELECT org_id, sequence FROM audit_heads").fetch_all(connection).await?;
    Ok(heads.into_iter().collect())
}
