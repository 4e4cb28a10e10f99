//! Reads the schema version and the growth of a database, without changing it.

use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection as _, PgConnection, SqliteConnection};

use super::{migrate, postgres_tls};
use crate::id::least_id;
use crate::{Db, Error, Result, Timestamp};

const VERSION: &str = "SELECT MAX(version) FROM _sqlx_migrations WHERE success";
/// Time over which growth is measured.
const GROWTH_PERIOD: Duration = Duration::from_hours(7 * 24);
/// Shortest time from which a trend can be derived.
const MIN_PERIOD: Duration = Duration::from_hours(1);

/// Version of a database's schema, beside that of this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemaVersion {
    /// Version of the database; `None` before its first start.
    pub found: Option<i64>,
    /// Version of this program.
    pub newest: i64,
}

/// Size of an embedded database, and its growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Growth in bytes per day, by the log entries of the last seven days; `None` without an hour of entries.
    pub bytes_per_day: Option<u64>,
}

/// Reads the version of a database's schema. Creates and migrates nothing.
pub async fn schema_version(url: &str) -> Result<SchemaVersion> {
    let found = match url.strip_prefix("sqlite://") {
        Some(path) => sqlite_version(path).await?,
        None => postgres_version(url).await?,
    };
    Ok(SchemaVersion { found, newest: migrate::newest_version() })
}

async fn sqlite_version(path: &str) -> Result<Option<i64>> {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(false);
    let mut connection = SqliteConnection::connect_with(&options).await?;
    let has_schema = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = '_sqlx_migrations')";
    let has_schema: bool = sqlx::query_scalar(has_schema).fetch_one(&mut connection).await?;
    let version =
        if has_schema { sqlx::query_scalar(VERSION).fetch_one(&mut connection).await? } else { None };
    connection.close().await?;
    Ok(version)
}

async fn postgres_version(url: &str) -> Result<Option<i64>> {
    let options = postgres_tls::parse_options(url)?;
    let mut connection = PgConnection::connect_with(&options).await.map_err(postgres_tls::explain)?;
    let has_schema = "SELECT to_regclass('_sqlx_migrations') IS NOT NULL";
    let has_schema: bool = sqlx::query_scalar(has_schema).fetch_one(&mut connection).await?;
    let version =
        if has_schema { sqlx::query_scalar(VERSION).fetch_one(&mut connection).await? } else { None };
    connection.close().await?;
    Ok(version)
}

/// Checks that the address of a database can be parsed. Connects to nothing.
pub fn check_url(url: &str) -> Result<()> {
    if url.starts_with("sqlite://") { Ok(()) } else { postgres_tls::parse_options(url).map(drop) }
}

impl Db {
    /// Returns the size and the growth of the embedded database.
    pub async fn growth(&self, now: Timestamp) -> Result<Growth> {
        let Self::Sqlite(sqlite) = self else { return Err(Error::SqliteOnly) };
        let size = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()";
        let bytes: i64 = sqlx::query_scalar(size).fetch_one(&sqlite.readers).await?;
        // By numbers of entries, which are in an index: counting would read all of them.
        let counts: Vec<(i64, i64, Option<i64>)> = sqlx::query_as(
            "SELECT log_count - COALESCE((SELECT sequence FROM logs WHERE org_id = orgs.id ORDER BY sequence LIMIT 1),
                 log_count + 1) + 1,
             log_count - COALESCE((SELECT sequence FROM logs WHERE org_id = orgs.id AND id >= $1 ORDER BY id LIMIT 1),
                 log_count + 1) + 1,
             (SELECT created_at FROM logs WHERE org_id = orgs.id AND id >= $1 ORDER BY id LIMIT 1) FROM orgs",
        )
        .bind(least_id(now - GROWTH_PERIOD))
        .fetch_all(&sqlite.readers)
        .await?;
        let bytes = u64::try_from(bytes).unwrap_or(0);
        Ok(Growth { bytes, bytes_per_day: bytes_per_day(bytes, &counts, now) })
    }
}

/// Returns the growth by entries (all, recent, time of the first recent one) of each organization.
fn bytes_per_day(bytes: u64, counts: &[(i64, i64, Option<i64>)], now: Timestamp) -> Option<u64> {
    let (all, recent) = counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    let since = counts.iter().filter_map(|count| count.2).min()?;
    let period = now.since(Timestamp::from_micros(since));
    let is_measurable = all > 0 && recent > 0 && period >= MIN_PERIOD;
    let days = period.as_secs_f64() / 86_400.0;
    is_measurable.then(|| (bytes as f64 * (recent as f64 / all as f64) / days) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_follows_the_share_of_recent_entries() {
        let day = 86_400_000_000;
        let now = Timestamp::from_micros(100 * day);
        let two_days_ago = Some(98 * day);
        assert_eq!(bytes_per_day(1000, &[(100, 20, two_days_ago), (0, 0, None)], now), Some(100));
        assert_eq!(bytes_per_day(1000, &[(100, 20, Some(100 * day - 1))], now), None, "too short");
        assert_eq!(bytes_per_day(1000, &[(0, 0, None)], now), None, "no entries");
    }
}
