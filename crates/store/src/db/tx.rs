//! Transactions, and the macro that runs one query on either database.
//!
//! Steps that several changes share are methods of [`Tx`], beside the rows that they write. A `Tx` that is dropped
//! before [`Tx::commit`] is rolled back: a `?` on the way undoes all of it.

use sqlx::pool::PoolConnectionMetadata;
use sqlx::postgres::{PgConnection, PgPool};
use sqlx::sqlite::{SqliteConnection, SqlitePool};
use sqlx::{Connection as _, Postgres, Transaction};

use crate::audit::{AuditKey, AuditKeySlot};
use crate::{Db, Result};

/// Runs a query on whichever database it is, from one SQL text:
/// `on!(self.reader(), |c| sqlx::query_as("SELECT …").fetch_one(c).await?)`. The body is compiled for both drivers.
macro_rules! on {
    ($database:expr, |$c:ident| $body:expr) => {
        match $database {
            $crate::db::tx::Either::Sqlite($c) => $body,
            $crate::db::tx::Either::Postgres($c) => $body,
        }
    };
}

/// The same thing of one driver or the other.
#[derive(Debug)]
pub(crate) enum Either<S, P> {
    Sqlite(S),
    Postgres(P),
}

/// A transaction on either database. Other crates get one as an [`AuditedTx`](crate::AuditedTx).
#[derive(Debug)]
pub struct Tx {
    transaction: Either<Transaction<'static, sqlx::Sqlite>, Transaction<'static, Postgres>>,
    audit_key: AuditKeySlot,
}

impl Db {
    /// The pool for reading queries.
    pub(crate) fn reader(&self) -> Either<&SqlitePool, &PgPool> {
        match self {
            Self::Sqlite(sqlite) => Either::Sqlite(&sqlite.readers),
            Self::Postgres(postgres) => Either::Postgres(&postgres.pool),
        }
    }

    /// The pool for changes of one statement.
    pub(crate) fn writer(&self) -> Either<&SqlitePool, &PgPool> {
        match self {
            Self::Sqlite(sqlite) => Either::Sqlite(&sqlite.writer),
            Self::Postgres(postgres) => Either::Postgres(&postgres.pool),
        }
    }

    /// Begins a transaction that writes. SQLite's lock is taken at the start: a reading transaction that turns to
    /// writing may be refused.
    pub(crate) async fn write(&self) -> Result<Tx> {
        let transaction = match self {
            Self::Sqlite(sqlite) => Either::Sqlite(sqlite.writer.begin_with("BEGIN IMMEDIATE").await?),
            Self::Postgres(postgres) => Either::Postgres(postgres.pool.begin().await?),
        };
        Ok(Tx { transaction, audit_key: self.audit_key_slot().clone() })
    }

    /// Begins a transaction whose reads all see the same state.
    pub(crate) async fn snapshot(&self) -> Result<Tx> {
        let transaction = match self {
            Self::Sqlite(sqlite) => Either::Sqlite(sqlite.readers.begin().await?),
            Self::Postgres(postgres) => Either::Postgres(
                postgres.pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?,
            ),
        };
        Ok(Tx { transaction, audit_key: self.audit_key_slot().clone() })
    }
}

impl Tx {
    /// The connection for the next statement.
    pub(crate) fn connection(&mut self) -> Either<&mut SqliteConnection, &mut PgConnection> {
        match &mut self.transaction {
            Either::Sqlite(tx) => Either::Sqlite(tx),
            Either::Postgres(tx) => Either::Postgres(tx),
        }
    }

    /// Returns whether the database is PostgreSQL, where transactions write at the same time.
    pub(crate) const fn is_postgres(&self) -> bool {
        matches!(self.transaction, Either::Postgres(_))
    }

    /// The key of the audit trails, if this process has it.
    pub(crate) fn audit_key(&self) -> Option<&AuditKey> {
        self.audit_key.get()
    }

    /// Makes this transaction append audit entries under `key`.
    pub(crate) fn use_audit_key(&mut self, key: AuditKey) {
        self.audit_key = AuditKeySlot::from(key);
    }

    /// Runs a statement without parameters.
    pub(crate) async fn execute(&mut self, statement: &'static str) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(statement).execute(c).await?;
        });
        Ok(())
    }

    /// Makes every step take effect.
    pub(crate) async fn commit(self) -> Result<()> {
        match self.transaction {
            Either::Sqlite(tx) => tx.commit().await?,
            Either::Postgres(tx) => tx.commit().await?,
        }
        Ok(())
    }
}

/// Returns whether a SQLite connection that comes back to its pool is outside every transaction; the pool closes one
/// that is not, and opens another.
///
/// SQLite ends a transaction by itself when the disk is full or fails, and then refuses the rollback that follows. The
/// driver goes on counting that transaction as open and would refuse the next one on that connection.
pub(crate) async fn is_reusable(
    connection: &mut SqliteConnection,
    _: PoolConnectionMetadata,
) -> sqlx::Result<bool> {
    if connection.is_in_transaction() {
        // The rollback of a dropped transaction is queued: wait for it.
        connection.ping().await?;
    }
    Ok(!connection.is_in_transaction())
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::{Created, Error, Org, Timestamp};

    async fn sqlite() -> (TempDir, Db) {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&format!("sqlite://{}", folder.path().join("test.db").display())).await.unwrap();
        (folder, db)
    }

    async fn create_org(db: &Db, name: &str) -> Result<Created<Org>> {
        let mut tx = db.write().await?;
        let created = tx.create_org(name, 1, Timestamp::default()).await?;
        tx.commit().await?;
        Ok(created)
    }

    #[tokio::test]
    async fn a_dropped_transaction_is_rolled_back() {
        let (_folder, db) = sqlite().await;
        let mut tx = db.write().await.unwrap();
        tx.insert_org(&Org::new("Acme", 1, Timestamp::default())).await.unwrap();
        drop(tx);
        assert!(matches!(create_org(&db, "Acme").await.unwrap(), Created::Done(_)));
        assert_eq!(db.orgs().await.unwrap().len(), 1);
    }

    #[tokio::test]
    async fn a_full_disk_does_not_block_later_transactions() {
        let (_folder, db) = sqlite().await;
        let Either::Sqlite(writer) = db.writer() else { unreachable!("opened as SQLite") };
        // The limit is the connection's own: the one that replaces it has none.
        sqlx::query("PRAGMA max_page_count = 1").execute(writer).await.unwrap();
        let error = create_org(&db, &"x".repeat(1 << 20)).await.unwrap_err();
        assert!(error.to_string().contains("full") && error.is_unavailable(), "{error}");
        create_org(&db, "Acme").await.unwrap();
        assert_eq!(db.orgs().await.unwrap().len(), 1);
    }

    #[tokio::test]
    async fn a_transaction_that_ended_on_its_own_does_not_block_later_ones() {
        let (_folder, db) = sqlite().await;
        let mut tx = db.write().await.unwrap();
        on!(tx.connection(), |c| {
            sqlx::query("ROLLBACK").execute(c).await.unwrap();
        });
        assert!(matches!(tx.commit().await, Err(Error::Database(_))));
        create_org(&db, "Acme").await.unwrap();
    }
}
