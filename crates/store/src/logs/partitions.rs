//! Monthly partitions of the log in PostgreSQL, by identifier, because identifiers begin with the time.
//!
//! Months are created in advance. A log entry outside every month, because of a wrong clock or because its month was
//! dropped, goes to the default partition and moves when its month is created. Changing months takes a lock and gives
//! up after a moment instead of blocking readers and writers; the next run tries again.

use sqlx::{AssertSqlSafe, PgConnection};
use uuid::Uuid;

use crate::id::{least_id, time_of};
use crate::time::{civil, days_from_civil};
use crate::{Db, Result, Timestamp};

/// Months to create in advance. A service that is down for that long still finds its month.
const MONTHS_AHEAD: i64 = 2;
// Arbitrary number, unique among the advisory locks of this database; the schema is part of the lock.
const LOCK: i32 = 0x6d6f_6e74;

/// The first or last monthly partition, and the identifier at its exclusive end.
fn months(order: &'static str) -> AssertSqlSafe<String> {
    AssertSqlSafe(format!(
        "SELECT QUOTE_IDENT(relname),
         SUBSTRING(PG_GET_EXPR(relpartbound, pg_class.oid) FROM 'TO \\(''([0-9a-f-]{{36}})''\\)')::UUID AS ending
         FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
         WHERE inhparent = 'logs'::regclass AND PG_GET_EXPR(relpartbound, pg_class.oid) <> 'DEFAULT'
         ORDER BY ending {order} LIMIT 1"
    ))
}

impl Db {
    /// Creates missing months in advance and returns their names. SQLite has none.
    pub async fn create_log_partitions(&self, now: Timestamp) -> Result<Vec<String>> {
        let Self::Postgres(postgres) = self else { return Ok(Vec::new()) };
        let mut created = Vec::new();
        loop {
            let mut tx = postgres.pool.begin().await?;
            let name = create_next_month(&mut tx, now).await?;
            tx.commit().await?;
            let Some(name) = name else { return Ok(created) };
            created.push(name);
        }
    }

    /// Drops the months that ended before that time, oldest first, if all their log entries are counted, and returns
    /// their names. The month that contains the time stays.
    pub async fn drop_log_partitions_before(&self, time: Timestamp) -> Result<Vec<String>> {
        let Self::Postgres(postgres) = self else { return Ok(Vec::new()) };
        let mut dropped = Vec::new();
        loop {
            let mut tx = postgres.pool.begin().await?;
            let name = drop_oldest(&mut tx, least_id(time)).await?;
            tx.commit().await?;
            let Some(name) = name else { return Ok(dropped) };
            dropped.push(name);
        }
    }
}

async fn create_next_month(tx: &mut PgConnection, now: Timestamp) -> Result<Option<String>> {
    if !try_lock_months(tx).await? {
        return Ok(None);
    }
    let last: Option<(String, Uuid)> = sqlx::query_as(months("DESC")).fetch_optional(&mut *tx).await?;
    let first = last.map_or_else(|| least_id(month(now, 0)), |(_, ending)| ending);
    if time_of(first) > month(now, MONTHS_AHEAD) {
        return Ok(None);
    }
    Ok(Some(create_month(tx, first).await?))
}

/// Creates the month that begins with that identifier and moves existing log entries into it.
async fn create_month(tx: &mut PgConnection, first: Uuid) -> Result<String> {
    let (year, number, _) = civil(day_of(time_of(first)));
    let name = format!("logs_{year:04}_{number:02}");
    let ending = least_id(month(time_of(first), 1));
    block_writers(tx).await?;
    run(tx, "LOCK TABLE logs_default IN ACCESS EXCLUSIVE MODE".to_owned()).await?;
    run(tx, format!("CREATE TABLE {name} (LIKE logs INCLUDING DEFAULTS INCLUDING INDEXES)")).await?;
    run(tx, format!("CREATE UNIQUE INDEX {name}_by_sequence ON {name} (org_id, sequence)")).await?;
    let moved = format!(
        "WITH early AS (DELETE FROM logs_default WHERE id >= '{first}' AND id < '{ending}' RETURNING *)
         INSERT INTO {name} SELECT * FROM early"
    );
    run(tx, moved).await?;
    let attached =
        format!("ALTER TABLE logs ATTACH PARTITION {name} FOR VALUES FROM ('{first}') TO ('{ending}')");
    run(tx, attached).await?;
    Ok(name)
}

async fn drop_oldest(tx: &mut PgConnection, before: Uuid) -> Result<Option<String>> {
    if !try_lock_months(tx).await? {
        return Ok(None);
    }
    let oldest: Option<(String, Uuid)> = sqlx::query_as(months("ASC")).fetch_optional(&mut *tx).await?;
    let Some((name, _)) = oldest.filter(|(_, ending)| *ending <= before) else { return Ok(None) };
    block_writers(tx).await?;
    // No log entry may be added between the check and the drop.
    run(tx, "LOCK TABLE ONLY logs IN ACCESS EXCLUSIVE MODE".to_owned()).await?;
    if !is_counted(tx, &name).await? {
        return Ok(None);
    }
    run(tx, format!("DROP TABLE {name}")).await?;
    Ok(Some(name))
}

async fn is_counted(tx: &mut PgConnection, name: &str) -> Result<bool> {
    let is_behind: bool = sqlx::query_scalar(AssertSqlSafe(format!(
        "SELECT EXISTS (SELECT 1 FROM orgs LEFT JOIN rollups ON rollups.org_id = orgs.id
         CROSS JOIN LATERAL (SELECT 1 FROM {name} AS month WHERE month.org_id = orgs.id
         AND month.sequence > COALESCE(rollups.sequence, 0) LIMIT 1) AS late)"
    )))
    .fetch_one(tx)
    .await?;
    Ok(!is_behind)
}

/// Takes the lock on changing months until the transaction ends. Returns false when another replica holds it.
async fn try_lock_months(tx: &mut PgConnection) -> Result<bool> {
    let lock = sqlx::query_scalar("SELECT pg_try_advisory_xact_lock($1, hashtext(current_schema()::text))");
    Ok(lock.bind(LOCK).fetch_one(tx).await?)
}

/// Blocks writers of log entries until the transaction ends. Organizations are locked before the log, in the same
/// order as by writers, to avoid deadlocks.
async fn block_writers(tx: &mut PgConnection) -> Result<()> {
    run(tx, "SET LOCAL lock_timeout = '500ms'".to_owned()).await?;
    run(tx, "LOCK TABLE orgs IN SHARE ROW EXCLUSIVE MODE".to_owned()).await
}

/// Runs a statement. Names come from the catalog, quoted, or are created from a date.
async fn run(tx: &mut PgConnection, statement: String) -> Result<()> {
    sqlx::query(AssertSqlSafe(statement)).persistent(false).execute(tx).await?;
    Ok(())
}

/// Start of the month `later` months after that of `time`, in UTC.
fn month(time: Timestamp, later: i64) -> Timestamp {
    let (year, month, _) = civil(day_of(time));
    let months = year * 12 + month - 1 + later;
    let day = days_from_civil(months.div_euclid(12), months.rem_euclid(12) + 1, 1);
    Timestamp::from_micros(day * 86_400 * 1_000_000)
}

/// Days since the Unix epoch.
fn day_of(time: Timestamp) -> i64 {
    time.seconds().div_euclid(86_400)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn months_follow_each_other_over_the_end_of_the_year() {
        assert_eq!(month(at("2026-12-31T23:59:59.999999Z"), 0), at("2026-12-01"));
        assert_eq!(month(at("2026-12-01"), 1), at("2027-01-01"));
        assert_eq!(month(at("2027-11-30"), 3), at("2028-02-01"));
    }

    #[test]
    fn a_month_begins_with_its_least_id() {
        let first = at("2027-01-01");
        assert_eq!(time_of(least_id(first)), first);
        assert!(crate::new_id(first) >= least_id(first));
        assert!(crate::new_id(Timestamp::from_micros(first.micros() - 1)) < least_id(first));
    }
}
