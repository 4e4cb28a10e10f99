//! Copying an installation from SQLite to PostgreSQL: table by table, referenced tables first, in batches that resume
//! after an interruption.
//!
//! The tables come from PostgreSQL's catalog, so that a table added by a migration is copied too. The progress of each
//! table is written with its rows, in a table that exists until the copy is complete.

mod batch;
mod tables;

use sqlx::{PgConnection, PgPool, SqlitePool};
use uuid::Uuid;

use crate::{Db, Error};
use batch::copy_batch;
use tables::{Table, count, list_tables};

/// Reason why a copy stopped.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// Error of either database.
    #[error(transparent)]
    Store(#[from] Error),
    /// The copy runs from SQLite to PostgreSQL only.
    #[error("can only copy from sqlite://… to postgres://…")]
    Direction,
    /// The target holds rows that no unfinished copy of this source wrote.
    #[error("the target is not empty: table {0} has rows that no unfinished copy of this source wrote")]
    NotEmpty(String),
    /// Another copy into the same target is running.
    #[error("another copy into this target is running")]
    Busy,
    /// The number of rows differs after the copy.
    #[error("table {table}: the source has {source_rows} rows, the target {target_rows}")]
    RowCountMismatch {
        /// Table name.
        table: String,
        /// Rows in the source.
        source_rows: i64,
        /// Rows in the target.
        target_rows: i64,
    },
    /// An audit trail of the target differs from the source.
    #[error("the audit trail of organization {0} differs in the target")]
    AuditTrailDiffers(Uuid),
}

impl From<sqlx::Error> for CopyError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

type Result<T> = std::result::Result<T, CopyError>;

/// Progress of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedTable {
    /// Name.
    pub table: String,
    /// Rows copied so far.
    pub copied: i64,
    /// Rows in total.
    pub rows: i64,
}

// Arbitrary number, unique among the advisory locks of this database; the schema is part of the lock.
const LOCK: i32 = 0x636f_7079;

impl Db {
    /// Copies this database into `target`, which is empty or holds an interrupted copy of this one; nobody may write to
    /// either meanwhile. Calls `on_progress` after each batch. Compares row counts and audit trails, then returns all
    /// tables.
    pub async fn copy_to(
        &self,
        target: &Self,
        mut on_progress: impl FnMut(&CopiedTable),
    ) -> Result<Vec<CopiedTable>> {
        let (Self::Sqlite(from), Self::Postgres(to)) = (self, target) else {
            return Err(CopyError::Direction);
        };
        let to = &to.pool;
        // The lock ends with the connection, which is closed in every case.
        let mut connection = to.acquire().await?.detach();
        let lock = sqlx::query_scalar("SELECT pg_try_advisory_lock($1, hashtext(current_schema()::text))");
        if !lock.bind(LOCK).fetch_one(&mut connection).await? {
            return Err(CopyError::Busy);
        }
        let copied = copy_all(&from.readers, to, &mut connection, &mut on_progress).await?;
        compare_trails(self, target).await?;
        sqlx::query("DROP TABLE unfinished_copy").execute(to).await?;
        Ok(copied)
    }

    /// Returns whether this database holds an unfinished copy. The service does not start with one.
    pub async fn is_unfinished_copy(&self) -> crate::Result<bool> {
        let Self::Postgres(postgres) = self else { return Ok(false) };
        let query = sqlx::query_scalar("SELECT to_regclass('unfinished_copy') IS NOT NULL");
        Ok(query.fetch_one(&postgres.pool).await?)
    }
}

async fn copy_all(
    from: &SqlitePool,
    to: &PgPool,
    connection: &mut PgConnection,
    on_progress: &mut impl FnMut(&CopiedTable),
) -> Result<Vec<CopiedTable>> {
    let tables = list_tables(connection, from).await?;
    begin(from, connection, &tables).await?;
    let mut done = Vec::new();
    for table in &tables {
        let rows = count::<sqlx::Sqlite, _>(from, &table.name).await?;
        loop {
            let (copied, is_end) = copy_batch(from, to, table).await?;
            let so_far = CopiedTable { table: table.name.clone(), copied, rows };
            on_progress(&so_far);
            if is_end {
                done.push(so_far);
                break;
            }
        }
    }
    for table in &done {
        let target_rows = count::<sqlx::Postgres, _>(to, &table.table).await?;
        if target_rows != table.rows {
            let (table, source_rows) = (table.table.clone(), table.rows);
            return Err(CopyError::RowCountMismatch { table, source_rows, target_rows });
        }
    }
    Ok(done)
}

/// Records that the target is being copied into and from which source; refuses a target that holds anything else.
async fn begin(from: &SqlitePool, to: &mut PgConnection, tables: &[Table]) -> Result<()> {
    let source: Option<Uuid> =
        sqlx::query_scalar("SELECT id FROM orgs ORDER BY id LIMIT 1").fetch_optional(from).await?;
    let source = source.unwrap_or_default();
    let is_begun: bool =
        sqlx::query_scalar("SELECT to_regclass('unfinished_copy') IS NOT NULL").fetch_one(&mut *to).await?;
    if is_begun {
        let of: Uuid = sqlx::query_scalar("SELECT source FROM unfinished_copy LIMIT 1").fetch_one(to).await?;
        return if of == source { Ok(()) } else { Err(CopyError::NotEmpty("unfinished_copy".to_owned())) };
    }
    for table in tables {
        if count::<sqlx::Postgres, _>(&mut *to, &table.name).await? > 0 {
            return Err(CopyError::NotEmpty(table.name.clone()));
        }
    }
    let mut tx = sqlx::Connection::begin(to).await?;
    sqlx::query(
        "CREATE TABLE unfinished_copy
         (source UUID NOT NULL, table_name TEXT NOT NULL PRIMARY KEY, after BIGINT NOT NULL, copied BIGINT NOT NULL)",
    )
    .execute(&mut *tx)
    .await?;
    for table in tables {
        sqlx::query("INSERT INTO unfinished_copy VALUES ($1, $2, 0, 0)")
            .bind(source)
            .bind(&table.name)
            .execute(&mut *tx)
            .await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Compares the trails entry by entry, which needs no key: a trail that is sound in the source is sound in the target.
async fn compare_trails(from: &Db, to: &Db) -> Result<()> {
    let orgs = from.orgs().await?.into_iter().map(|org| org.id);
    for org in std::iter::once(Uuid::nil()).chain(orgs) {
        let mut after = 0;
        loop {
            let entries = from.audit_entries_between(org, after, i64::MAX).await?;
            if entries != to.audit_entries_between(org, after, i64::MAX).await? {
                return Err(CopyError::AuditTrailDiffers(org));
            }
            let Some(last) = entries.last() else { break };
            after = last.sequence;
        }
    }
    Ok(())
}
