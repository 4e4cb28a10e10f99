//! The health check of a database.
//!
//! PostgreSQL is asked over a connection of its own: a busy pool is not an outage. SQLite is asked through the pools that
//! requests use, so that the check meets what they would meet.

use std::collections::HashMap;

use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use crate::{Db, Result};

/// Last sequence of each organization's audit trail.
pub type Heads = HashMap<Uuid, i64>;

const WRITE: &str = "UPDATE write_checks SET number = number + 1, filler = $1 WHERE id = 1";

/// A repeated health check.
pub struct Probe {
    db: Db,
    /// The connection to PostgreSQL.
    connection: Option<PgConnection>,
}

impl Db {
    /// Returns a health check.
    pub fn probe(&self) -> Probe {
        Probe { db: self.clone(), connection: None }
    }
}

impl Probe {
    /// Returns the last sequences of the audit trails; none for SQLite, which has no replicas. Reconnects once when the
    /// connection is broken, so that a restarted database answers again. May hang as long as the network allows: callers
    /// set a timeout.
    pub async fn heads(&mut self) -> Result<Heads> {
        if matches!(self.db, Db::Sqlite(_)) {
            return Ok(Heads::default());
        }
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

    /// Writes and commits this many bytes. After an error, the next check opens a new connection. Callers set a timeout,
    /// as for [`Self::heads`].
    pub async fn write(&mut self, bytes: usize) -> Result<()> {
        let filler = vec![0_u8; bytes];
        if let Db::Sqlite(sqlite) = &self.db {
            sqlx::query(WRITE).bind(filler).execute(&sqlite.writer).await?;
            return Ok(());
        }
        let mut connection = self.take_or_connect().await?;
        sqlx::query(WRITE).bind(filler).execute(&mut connection).await?;
        self.connection = Some(connection);
        Ok(())
    }

    /// Returns whether the organization's audit trail has an entry after that sequence, other than sign-in and
    /// sign-out.
    pub async fn was_changed_after(&mut self, org_id: Uuid, sequence: i64) -> Result<bool> {
        let mut connection = self.take_or_connect().await?;
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

    async fn take_or_connect(&mut self) -> Result<PgConnection> {
        match self.connection.take() {
            Some(connection) => Ok(connection),
            None => self.connected().await,
        }
    }

    async fn connected(&self) -> Result<PgConnection> {
        let Db::Postgres(postgres) = &self.db else { return Err(crate::Error::Unavailable) };
        Ok(PgConnection::connect_with(&postgres.pool.connect_options()).await?)
    }
}

async fn heads(connection: &mut PgConnection) -> Result<Heads> {
    let heads: Vec<(Uuid, i64)> =
        sqlx::query_as("SELECT org_id, sequence FROM audit_heads").fetch_all(connection).await?;
    Ok(heads.into_iter().collect())
}
