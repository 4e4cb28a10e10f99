//! Progress of the log export to each stream, and the lease of the replica that exports.
//!
//! Log entries are exported in order of sequence, which is the order of commit: an entry that is committed late has a
//! higher number than all visible ones, so that a position never skips one. Numbers have gaps only where entries were
//! deleted for their age.

use uuid::Uuid;

use crate::clock::MAX_CLOCK_SKEW;
use crate::{Db, Result, Timestamp};

/// An organization with log entries that are not exported yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ExportBacklog {
    /// Organization.
    pub org_id: Uuid,
    /// Sequence of the last exported log entry; 0 before the first.
    pub position: i64,
    /// Sequence of the last log entry.
    pub newest: i64,
}

/// Distance of an export behind the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct ExportLag {
    /// Log entries not yet exported, over all organizations, including those deleted since.
    pub rows: i64,
    /// Time of the oldest one that still exists.
    pub oldest: Option<Timestamp>,
}

/// Size of a log entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct LogSize {
    /// Sequence number.
    pub sequence: i64,
    /// Size in bytes of its variable-length fields.
    pub bytes: i64,
}

impl Db {
    /// Starts the export to a stream unless it has started: from now on, or from the first existing log entry.
    /// Organizations created later are exported from their first entry.
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

    /// Acquires or renews the lease of an export. Returns false while another replica holds it.
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
                 WHERE stream = $1 AND (holder_id = $2 OR leased_until <= $3 OR leased_until > $5)",
            )
            .bind(stream)
            .bind(holder)
            .bind(now)
            .bind(until)
            .bind(until + MAX_CLOCK_SKEW)
            .execute(pool)
            .await?
            .rows_affected()
                == 1
        }))
    }

    /// Releases the lease if that holder has it.
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

    /// Returns the organizations with log entries that are not exported yet.
    pub async fn export_backlogs(&self, stream: &str) -> Result<Vec<ExportBacklog>> {
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

    /// Returns how far the stream is behind the log.
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

    /// Returns the sizes of the first `limit` log entries after sequence `after`, so that a batch fits into memory.
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

    /// Advances an organization's position. Returns false when it is no longer at `from`.
    pub async fn advance_log_export(
        &self,
        stream: &str,
        org_id: Uuid,
        (from, to): (i64, i64),
    ) -> Result<bool> {
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
