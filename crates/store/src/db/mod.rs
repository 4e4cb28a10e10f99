//! Opening and migrating the database, SQLite or PostgreSQL.

#[macro_use]
pub(crate) mod tx;

mod backup;
mod chunks;
mod copy;
mod health;
mod inspect;
mod migrate;
mod names;
mod org_changes;
mod postgres_tls;
mod probe;
mod recycling;

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use sqlx::postgres::{PgConnection, PgPool, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Connection as _, Executor as _};

use crate::Result;
use crate::audit::AuditKeySlot;

pub use backup::check_backup;
pub(crate) use chunks::chunks;
pub use copy::{CopiedTable, CopyError};
pub use health::StoreHealth;
pub use inspect::{Growth, SchemaVersion, check_url, schema_version};
pub use names::RENAME_ACTION;
pub use org_changes::{Epoch, OrgChanges};
pub use probe::{Heads, Probe};
use recycling::Recycling;
pub use tx::Tx;

const READERS: u32 = 8;
const POSTGRES_CONNECTIONS: u32 = 20;
/// Longest wait for a SQLite file that another process locks.
const BUSY_TIMEOUT: Duration = Duration::from_secs(3);
/// Longest wait for a connection to the SQLite file. A write fails after this and [`BUSY_TIMEOUT`] at the latest.
const SQLITE_ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);
/// Longest wait for a connection to PostgreSQL.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// An open database. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Db {
    /// SQLite, in one file.
    Sqlite(Sqlite),
    /// PostgreSQL, or a database that speaks its protocol.
    Postgres(Postgres),
}

/// Connection pools of a SQLite database. SQLite allows one writer at a time: changes queue for one connection instead
/// of failing.
#[derive(Clone, Debug)]
pub struct Sqlite {
    pub(crate) readers: SqlitePool,
    pub(crate) writer: SqlitePool,
    recycling: Recycling,
    audit_key: AuditKeySlot,
}

/// Connection pool of a PostgreSQL database.
#[derive(Clone, Debug)]
pub struct Postgres {
    pub(crate) pool: PgPool,
    recycling: Recycling,
    audit_key: AuditKeySlot,
}

impl Db {
    /// Opens `sqlite://PATH` or `postgres://…` and migrates it under a lock. A new SQLite file has mode 0600. Several
    /// processes may open the same one.
    pub async fn open(url: &str) -> Result<Self> {
        match url.strip_prefix("sqlite://") {
            Some(path) => open_sqlite(Path::new(path)).await,
            None => open_postgres(url).await,
        }
    }

    /// The key of the audit trails, once it is set.
    pub(crate) const fn audit_key_slot(&self) -> &AuditKeySlot {
        match self {
            Self::Sqlite(sqlite) => &sqlite.audit_key,
            Self::Postgres(postgres) => &postgres.audit_key,
        }
    }

    /// Checks that the database answers.
    pub async fn ping(&self) -> Result<()> {
        on!(self.reader(), |pool| {
            sqlx::query("SELECT 1").execute(pool).await?;
        });
        Ok(())
    }

    /// Replaces every connection that is open now, before its next use. A connection may keep what made it fail, such as
    /// a file that it could open for reading only, or a server that became read-only.
    pub fn recycle(&self) {
        match self {
            Self::Sqlite(sqlite) => sqlite.recycling.recycle(),
            Self::Postgres(postgres) => postgres.recycling.recycle(),
        }
    }

    /// Waits for running queries and closes all connections.
    pub async fn close(&self) {
        match self {
            Self::Sqlite(sqlite) => {
                sqlite.readers.close().await;
                sqlite.writer.close().await;
            }
            Self::Postgres(postgres) => postgres.pool.close().await,
        }
    }
}

async fn open_sqlite(path: &Path) -> Result<Db> {
    let _lock = lock_folder(path).await?;
    make_private(path)?;
    let options = sqlite_options(path);
    let recycling = Recycling::default();
    let writer = pool(1, &recycling).connect_with(options.clone()).await?;
    let mut lock = writer.begin_with("BEGIN IMMEDIATE").await?;
    migrate::sqlite().run_direct(None, &mut *lock, false).await?;
    lock.commit().await?;
    let readers = options.pragma("query_only", "ON");
    let readers = pool(READERS, &recycling).connect_with(readers).await?;
    Ok(Db::Sqlite(Sqlite { readers, writer, recycling, audit_key: AuditKeySlot::default() }))
}

fn pool(connections: u32, recycling: &Recycling) -> SqlitePoolOptions {
    let options = SqlitePoolOptions::new().max_connections(connections);
    let options = options.acquire_timeout(SQLITE_ACQUIRE_TIMEOUT).before_acquire(recycling.check());
    options.after_release(|connection, metadata| Box::pin(tx::is_reusable(connection, metadata)))
}

/// Locks the folder, so that one process opens a file at a time: SQLite fails with "locked" at once, whatever its busy
/// timeout, when two connections switch a new file to write-ahead logging together. A lock on the folder leaves no
/// file behind and ends with the handle.
async fn lock_folder(path: &Path) -> Result<File> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = File::open(folder)?;
    let locked = tokio::task::spawn_blocking(move || folder.lock().map(|()| folder)).await;
    Ok(locked.map_err(std::io::Error::other)??)
}

/// `FULL`, because responses wait for the commit: `NORMAL` may lose it to a power failure.
fn sqlite_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .pragma("cache_size", "-16384")
        .pragma("mmap_size", "268435456")
        .pragma("temp_store", "MEMORY")
}

/// Creates the file with mode 0600; SQLite gives its journal files the same mode.
fn make_private(path: &Path) -> Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    match std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}

/// Migrates over a connection of its own, which waits for as long as another process migrates (sqlx takes an advisory
/// lock). The connections of the pool wait at most five seconds for a lock.
async fn open_postgres(url: &str) -> Result<Db> {
    let options = postgres_tls::parse_options(url)?;
    let mut migrating = PgConnection::connect_with(&options).await.map_err(postgres_tls::explain)?;
    migrate::postgres().run_direct(None, &mut migrating, false).await?;
    migrating.close().await?;
    let recycling = Recycling::default();
    let pool = PgPoolOptions::new().max_connections(POSTGRES_CONNECTIONS).acquire_timeout(ACQUIRE_TIMEOUT);
    let pool = pool.before_acquire(recycling.check()).after_connect(|connection, _| {
        Box::pin(async move {
            connection.execute("SET lock_timeout = '5s'").await?;
            Ok(())
        })
    });
    let pool = pool.connect_with(options).await.map_err(postgres_tls::explain)?;
    Ok(Db::Postgres(Postgres { pool, recycling, audit_key: AuditKeySlot::default() }))
}
