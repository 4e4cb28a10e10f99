//! Backups of the SQLite database.

use std::{fs, os::unix::fs::OpenOptionsExt as _, path::Path};

use sqlx::{Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};

use super::migrate;
use crate::{Db, Error, Result};

impl Db {
    /// Writes a consistent copy of the SQLite database to `file`, readable by its owner only, while others read and
    /// write (SQLite's `VACUUM INTO`). Fails if the file exists, and for PostgreSQL.
    pub async fn back_up_to(&self, file: &Path) -> Result<()> {
        let Self::Sqlite(sqlite) = self else {
            return Err(Error::SqliteOnly);
        };
        let made = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
        let path = file.to_str().ok_or_else(|| std::io::Error::other("the path is not valid Unicode"))?;
        let copied = sqlx::query("VACUUM INTO $1").bind(path).execute(&sqlite.writer).await;
        if copied.is_err() {
            fs::remove_file(file)?;
        }
        copied?;
        made.sync_all()?;
        Ok(())
    }
}

/// Checks that `file` is an intact database of guardengine, of this schema version or an earlier one; returns the
/// reason if it is not.
pub async fn check_backup(file: &Path) -> Result<std::result::Result<(), &'static str>> {
    let options = SqliteConnectOptions::new().filename(file).read_only(true).immutable(true);
    let Ok(mut connection) = SqliteConnection::connect_with(&options).await else {
        return Ok(Err("it cannot be opened as a database"));
    };
    let whole = sqlx::query_scalar::<_, String>("PRAGMA integrity_check").fetch_one(&mut connection).await;
    if whole.is_ok_and(|answer| answer == "ok") {
        let newest = "SELECT MAX(version) FROM _sqlx_migrations WHERE success";
        let newest = sqlx::query_scalar::<_, i64>(newest).fetch_one(&mut connection).await;
        connection.close().await?;
        return Ok(match newest {
            Ok(version) if version <= migrate::newest_version() => Ok(()),
            Ok(_) => Err("it was made by a newer version of guardengine"),
            Err(_) => Err("it is a database of another program"),
        });
    }
    Ok(Err("it is not a database, or a damaged one"))
}
