//! How far the rows of each organisation are exported to a stream, and which replica exports.
//!
//! Rows go in the order of their numbers, which is that of their commits: one that is committed late has a number above all
//! that are visible, so that a position never stands behind a row that is still to come. Numbers have no gaps but where
//! rows were forgotten for their age.

use uuid::Uuid;

use crate::{Db, Result, Timestamp};

/// An organisation that has rows which a stream does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Unexported {
    /// The organisation.
    pub org_id: Uuid,
    /// The number of the last row that the stream has; 0 before the first.
    pub position: i64,
    /// The number of the last row.
    pub newest: i64,
}

/// How far an export is behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct ExportLag {
    /// Rows of all organisations that the stream does not have, those that were forgotten meanwhile included.
    pub rows: i64,
    /// When the oldest of those that are there was made.
    pub oldest: Option<Timestamp>,
}

/// How much a row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct LogSize {
    /// Its number.
    pub sequence: i64,
    /// Bytes of what may be long in it.
    pub bytes: i64,
}

impl Db {
    /// Begins the export to a stream, unless it has begun before: with the rows that come from now on, or with the first
    /// ones that there are. Organisations that are made later are exported from their first row.
    pub async fn start_log_export(&self, stream: &str, from_beginning: bool, now: Timestamp) -> Result<()> {
        let mut tx = self.write().await?;
        on!(tx.connection(), |c| {
            let is_new = sqlx::query(
                "INSERT INTO log_exports (stream, started_at, leased_until) VALUES ($1, $2, $2)
                 ON CONFLICT (stream) DO NOTHING",
            )
            .bind(stream)
            .bind(now)
            .execute(&mut *c)
            .await?
            .rows_affected()
                == 1;
            if is_new && !from_beginning {
                sqlx::query(
                    "INSERT INTO log_export_positions (stream, org_id, position)
                     SELECT $1, id, log_count FROM orgs",
                )
                .bind(stream)
                .execute(c)
                .await?;
            }
        });
        tx.commit().await
    }

    /// Takes the lease of an export, or keeps it; false while somebody else holds it.
    pub async fn lease_log_export(
        &self,
        stream: &str,
        holder: Uuid,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<bool> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "UPDATE log_exports SET holder_id = $2, leased_until = $4
                 WHERE stream = $1 AND (holder_id = $2 OR leased_until <= $3)",
            )
            .bind(stream)
            .bind(holder)
            .bind(now)
            .bind(until)
            .execute(pool)
            .await?
            .rows_affected()
                == 1
        }))
    }

    /// Gives the lease back, if that holder has it.
    pub async fn release_log_export(&self, stream: &str, holder: Uuid, now: Timestamp) -> Result<()> {
        on!(self.writer(), |pool| {
            sqlx::query("UPDATE log_exports SET leased_until = $3 WHERE stream = $1 AND holder_id = $2")
                .bind(stream)
                .bind(holder)
                .bind(now)
                .execute(pool)
                .await?;
        });
        Ok(())
    }

    /// The organisations that have rows which the stream does not have.
    pub async fn behind_with_log_export(&self, stream: &str) -> Result<Vec<Unexported>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT orgs.id AS org_id, COALESCE(done.position, 0) AS position, orgs.log_count AS newest
                 FROM orgs LEFT JOIN log_export_positions AS done ON done.org_id = orgs.id AND done.stream = $1
                 WHERE orgs.log_count > COALESCE(done.position, 0) ORDER BY orgs.id",
            )
            .bind(stream)
            .fetch_all(pool)
            .await?
        }))
    }

    /// How far the stream is behind the log.
    pub async fn log_export_lag(&self, stream: &str) -> Result<ExportLag> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT CAST(COALESCE(SUM(orgs.log_count - COALESCE(done.position, 0)), 0) AS BIGINT) AS rows,
                 MIN((SELECT logs.created_at FROM logs WHERE logs.org_id = orgs.id
                      AND logs.sequence > COALESCE(done.position, 0) ORDER BY logs.sequence LIMIT 1)) AS oldest
                 FROM orgs LEFT JOIN log_export_positions AS done ON done.org_id = orgs.id AND done.stream = $1
                 WHERE orgs.log_count > COALESCE(done.position, 0)",
            )
            .bind(stream)
            .fetch_one(pool)
            .await?
        }))
    }

    /// How much the first `limit` rows after number `after` hold, so that no more are read than fit into memory.
    pub async fn log_sizes_after(&self, org_id: Uuid, after: i64, limit: u16) -> Result<Vec<LogSize>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT sequence, CAST(OCTET_LENGTH(COALESCE(text, '')) + OCTET_LENGTH(COALESCE(context, ''))
                 + OCTET_LENGTH(triggered_guardrails) AS BIGINT) AS bytes
                 FROM logs WHERE org_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3",
            )
            .bind(org_id)
            .bind(after)
            .bind(i64::from(limit))
            .fetch_all(pool)
            .await?
        }))
    }

    /// Moves the position of an organisation on; false when it is not where it was read.
    pub async fn move_log_export(&self, stream: &str, org_id: Uuid, (from, to): (i64, i64)) -> Result<bool> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "INSERT INTO log_export_positions (stream, org_id, position) VALUES ($1, $2, $3)
                 ON CONFLICT (stream, org_id) DO UPDATE SET position = excluded.position
                 WHERE log_export_positions.position = $4",
            )
            .bind(stream)
            .bind(org_id)
            .bind(to)
            .bind(from)
            .execute(pool)
            .await?
            .rows_affected()
                == 1
        }))
    }
}
