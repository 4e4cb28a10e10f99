//! The log by sequence: entries in the order in which they were committed.

use sqlx::QueryBuilder;
use uuid::Uuid;

use super::entries::COLUMNS;
use crate::{Db, LogEntry, LogFilter, Result};

/// A log entry with its sequence number.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct SequencedLogEntry {
    /// Position in the organization's log: 1 for the first entry, in order of commit.
    pub sequence: i64,
    /// Log entry.
    #[sqlx(flatten)]
    pub log: LogEntry,
}

impl Db {
    /// Returns the sequence of the organization's last log entry; 0 before the first.
    pub async fn last_log_sequence(&self, org_id: Uuid) -> Result<i64> {
        let last: Option<i64> = on!(self.reader(), |pool| {
            sqlx::query_scalar("SELECT log_count FROM orgs WHERE id = $1")
                .bind(org_id)
                .fetch_optional(pool)
                .await?
        });
        Ok(last.unwrap_or(0))
    }

    /// Reads the first `limit` log entries after sequence `after`, oldest first; returns those that match, and the
    /// sequence of the last one read.
    pub async fn logs_after(
        &self,
        org_id: Uuid,
        filter: &LogFilter,
        after: i64,
        limit: u16,
    ) -> Result<(Vec<SequencedLogEntry>, i64)> {
        let mut rows: Vec<SequencedLogEntry> = on!(self.reader(), |pool| {
            let mut query = QueryBuilder::new("SELECT sequence, ");
            query.push(COLUMNS).push(" FROM logs WHERE org_id = ").push_bind(org_id);
            query.push(" AND sequence > ").push_bind(after);
            query.push(" ORDER BY sequence LIMIT ").push_bind(i64::from(limit));
            query.build_query_as().fetch_all(pool).await?
        });
        let last = rows.last().map_or(after, |row| row.sequence);
        rows.retain(|row| filter.passes(&row.log));
        Ok((rows, last))
    }
}
