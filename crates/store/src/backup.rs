//! Copies of the embedded database.

use std::{fs, os::unix::fs::OpenOptionsExt as _, path::Path};

use sqlx::{Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::{Db, Error, Result, db};

impl Db {
    /// Writes a consistent copy of the embedded database to `file`, for its owner alone, while others read and write
    /// (SQLite's `VACUUM INTO`). Refuses a file that is there, and another database than the embedded one.
    pub async fn back_up_to(&self, file: &Path) -> Result<()> {
        let Self::Sqlite(sqlite) = self else {
            return Err(Error::NotEmbedded);
        };
        let made = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
        let path = file.to_str().ok_or_else(|| std::io::Error::other("the path is no Unicode"))?;
        let copied = sqlx::query("VACUUM INTO $1").bind(path).execute(&sqlite.writer).await;
        if copied.is_err() {
            fs::remove_file(file)?;
        }
        copied?;
        made.sync_all()?;
        Ok(())
    }
}

/// Whether `file` is a whole database of this product, of this version's tables or earlier ones; if not, why.
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
            Ok(version) if version <= db::newest_version() => Ok(()),
            Ok(_) => Err("it was made by a newer version of guardengine"),
            Err(_) => Err("it is a database of something else"),
        });
    }
    Ok(Err("it is no database, or a damaged one"))
}
