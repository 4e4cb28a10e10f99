//! An installation moved from the embedded database to PostgreSQL: table by table, in the order in which rows refer to
//! each other, in batches that take up where the last one ended.
//!
//! What is copied is what PostgreSQL's catalogue says there is, so that a table that a migration adds is copied too. How far
//! each table has come is written with its rows, in a table that is there as long as the copy is not finished.

mod batch;
mod tables;

use sqlx::{PgConnection, PgPool, SqlitePool};
use uuid::Uuid;

use crate::{Db, Error};
use batch::copy_batch;
use tables::{Table, count, in_order};

/// Why nothing more was copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyFault {
    /// Either of the databases.
    #[error(transparent)]
    Store(#[from] Error),
    /// It is copied from the embedded database to PostgreSQL alone.
    #[error("an installation is copied from sqlite://… to postgres://…")]
    Direction,
    /// There is something in the target that no unfinished copy of this source put there.
    #[error(
        "the target is not empty: its table {0} has rows that no unfinished copy of this source put there"
    )]
    NotEmpty(String),
    /// Another copy into the same target runs.
    #[error("another copy into this target runs")]
    Busy,
    /// Not as many rows arrived as there are.
    #[error("table {table}: the source has {source_rows} rows, the target {target_rows}")]
    Differs {
        /// The table.
        table: String,
        /// Rows of the source.
        source_rows: i64,
        /// Rows of the target.
        target_rows: i64,
    },
    /// A trail that is sound in the source is not in the target.
    #[error("the audit trail of {0} is not sound in the target")]
    Unsound(Uuid),
}

impl From<sqlx::Error> for CopyFault {
    fn from(fault: sqlx::Error) -> Self {
        Self::Store(fault.into())
    }
}

type Result<T> = std::result::Result<T, CopyFault>;

/// How far a table is copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedTable {
    /// Its name.
    pub table: String,
    /// Rows that are copied.
    pub copied: i64,
    /// Rows there are.
    pub rows: i64,
}

// Any number that nothing else locks in this database; the schema is locked with it.
const LOCK: i32 = 0x636f_7079;

impl Db {
    /// Copies all of this database into `target`, which is empty, or holds what an interrupted copy of this one left; nobody
    /// may write to either meanwhile. `tell` is called after each batch. Answers every table, once counts and audit
    /// trails are found to agree.
    pub async fn copy_to(
        &self,
        target: &Self,
        mut tell: impl FnMut(&CopiedTable),
    ) -> Result<Vec<CopiedTable>> {
        let (Self::Sqlite(from), Self::Postgres(to)) = (self, target) else {
            return Err(CopyFault::Direction);
        };
        // The lock goes with the connection, which is closed however this ends.
        let mut turn = to.acquire().await?.detach();
        let lock = sqlx::query_scalar("SELECT pg_try_advisory_lock($1, hashtext(current_schema()::text))");
        if !lock.bind(LOCK).fetch_one(&mut turn).await? {
            return Err(CopyFault::Busy);
        }
        let copied = copy_all(&from.readers, to, &mut turn, &mut tell).await?;
        same_trails(self, target).await?;
        sqlx::query("DROP TABLE unfinished_copy").execute(to).await?;
        Ok(copied)
    }

    /// Whether this database holds a copy that was not finished: it serves nobody until it is.
    pub async fn is_unfinished_copy(&self) -> crate::Result<bool> {
        let Self::Postgres(pool) = self else { return Ok(false) };
        Ok(sqlx::query_scalar("SELECT to_regclass('unfinished_copy') IS NOT NULL").fetch_one(pool).await?)
    }
}

async fn copy_all(
    from: &SqlitePool,
    to: &PgPool,
    turn: &mut PgConnection,
    tell: &mut impl FnMut(&CopiedTable),
) -> Result<Vec<CopiedTable>> {
    let tables = in_order(turn, from).await?;
    begin(from, turn, &tables).await?;
    let mut done = Vec::new();
    for table in &tables {
        let rows = count::<sqlx::Sqlite, _>(from, &table.name).await?;
        loop {
            let (copied, is_end) = copy_batch(from, to, table).await?;
            let so_far = CopiedTable { table: table.name.clone(), copied, rows };
            tell(&so_far);
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
            return Err(CopyFault::Differs { table, source_rows, target_rows });
        }
    }
    Ok(done)
}

/// Notes that the target is being copied into, by which source; refuses one that holds anything else.
async fn begin(from: &SqlitePool, to: &mut PgConnection, tables: &[Table]) -> Result<()> {
    let source: Option<Uuid> =
        sqlx::query_scalar("SELECT id FROM orgs ORDER BY id LIMIT 1").fetch_optional(from).await?;
    let source = source.unwrap_or_default();
    let is_begun: bool =
        sqlx::query_scalar("SELECT to_regclass('unfinished_copy') IS NOT NULL").fetch_one(&mut *to).await?;
    if is_begun {
        let of: Uuid = sqlx::query_scalar("SELECT source FROM unfinished_copy LIMIT 1").fetch_one(to).await?;
        return if of == source { Ok(()) } else { Err(CopyFault::NotEmpty("unfinished_copy".to_owned())) };
    }
    for table in tables {
        if count::<sqlx::Postgres, _>(&mut *to, &table.name).await? > 0 {
            return Err(CopyFault::NotEmpty(table.name.clone()));
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

async fn same_trails(from: &Db, to: &Db) -> Result<()> {
    let orgs = from.orgs().await?.into_iter().map(|org| org.id);
    for org in std::iter::once(Uuid::nil()).chain(orgs) {
        if from.verify_audit(org).await? != to.verify_audit(org).await? {
            return Err(CopyFault::Unsound(org));
        }
    }
    Ok(())
}
