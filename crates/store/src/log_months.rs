//! The log by month, where PostgreSQL keeps it: partitions by id, for ids begin with the time.
//!
//! Months are made before they begin. A row that no month takes, because a clock is off, or so old that its month is
//! gone, is in the default partition, and moves when its month is made. Whoever changes months does it alone, and gives
//! up after a moment instead of holding up those who read and write: the next sweep tries again.

use sqlx::{AssertSqlSafe, PgConnection};
use uuid::Uuid;

use crate::id::{least_id, time_of};
use crate::time::{civil, days_from_civil};
use crate::{Db, Result, Timestamp};

/// Months that there are after the present one. A service that stands still for so long finds its month all the same.
const AHEAD: i64 = 2;
// Any number that nothing else locks in this database; the schema is locked with it.
const LOCK: i32 = 0x6d6f_6e74;

/// The first or last partition that is a month, and the id that it ends before.
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
    /// Makes the months that are missing until some time from now; answers their names. The embedded database has none.
    pub async fn make_log_months(&self, now: Timestamp) -> Result<Vec<String>> {
        let Self::Postgres(pool) = self else { return Ok(Vec::new()) };
        let mut made = Vec::new();
        loop {
            let mut tx = pool.begin().await?;
            let name = make_next(&mut tx, now).await?;
            tx.commit().await?;
            let Some(name) = name else { return Ok(made) };
            made.push(name);
        }
    }

    /// Drops the months that ended before that time, oldest first, as long as all their rows are added up; answers their
    /// names. Of the month that the time is in, nothing goes.
    pub async fn forget_log_months_before(&self, time: Timestamp) -> Result<Vec<String>> {
        let Self::Postgres(pool) = self else { return Ok(Vec::new()) };
        let mut gone = Vec::new();
        loop {
            let mut tx = pool.begin().await?;
            let name = drop_oldest(&mut tx, least_id(time)).await?;
            tx.commit().await?;
            let Some(name) = name else { return Ok(gone) };
            gone.push(name);
        }
    }
}

async fn make_next(tx: &mut PgConnection, now: Timestamp) -> Result<Option<String>> {
    if !is_alone(tx).await? {
        return Ok(None);
    }
    let last: Option<(String, Uuid)> = sqlx::query_as(months("DESC")).fetch_optional(&mut *tx).await?;
    let first = last.map_or_else(|| least_id(month(now, 0)), |(_, ending)| ending);
    if time_of(first) > month(now, AHEAD) {
        return Ok(None);
    }
    Ok(Some(make(tx, first).await?))
}

/// Makes the month that begins with that id, with the rows that came before it was there.
async fn make(tx: &mut PgConnection, first: Uuid) -> Result<String> {
    let (year, number, _) = civil(day_of(time_of(first)));
    let name = format!("logs_{year:04}_{number:02}");
    let ending = least_id(month(time_of(first), 1));
    hold_rows(tx).await?;
    change(tx, "LOCK TABLE logs_default IN ACCESS EXCLUSIVE MODE".to_owned()).await?;
    change(tx, format!("CREATE TABLE {name} (LIKE logs INCLUDING DEFAULTS INCLUDING INDEXES)")).await?;
    change(tx, format!("CREATE UNIQUE INDEX {name}_by_sequence ON {name} (org_id, sequence)")).await?;
    let moved = format!(
        "WITH early AS (DELETE FROM logs_default WHERE id >= '{first}' AND id < '{ending}' RETURNING *)
         INSERT INTO {name} SELECT * FROM early"
    );
    change(tx, moved).await?;
    let attached =
        format!("ALTER TABLE logs ATTACH PARTITION {name} FOR VALUES FROM ('{first}') TO ('{ending}')");
    change(tx, attached).await?;
    Ok(name)
}

async fn drop_oldest(tx: &mut PgConnection, before: Uuid) -> Result<Option<String>> {
    if !is_alone(tx).await? {
        return Ok(None);
    }
    let oldest: Option<(String, Uuid)> = sqlx::query_as(months("ASC")).fetch_optional(&mut *tx).await?;
    let Some((name, _)) = oldest.filter(|(_, ending)| *ending <= before) else { return Ok(None) };
    hold_rows(tx).await?;
    // No row comes between the look at them and their end.
    change(tx, "LOCK TABLE ONLY logs IN ACCESS EXCLUSIVE MODE".to_owned()).await?;
    if !is_added_up(tx, &name).await? {
        return Ok(None);
    }
    change(tx, format!("DROP TABLE {name}")).await?;
    Ok(Some(name))
}

async fn is_added_up(tx: &mut PgConnection, name: &str) -> Result<bool> {
    let is_behind: bool = sqlx::query_scalar(AssertSqlSafe(format!(
        "SELECT EXISTS (SELECT 1 FROM orgs LEFT JOIN rollups ON rollups.org_id = orgs.id
         CROSS JOIN LATERAL (SELECT 1 FROM {name} AS month WHERE month.org_id = orgs.id
         AND month.sequence > COALESCE(rollups.sequence, 0) LIMIT 1) AS late)"
    )))
    .fetch_one(tx)
    .await?;
    Ok(!is_behind)
}

/// Whether nobody else changes months until the end of the transaction.
async fn is_alone(tx: &mut PgConnection) -> Result<bool> {
    let turn = sqlx::query_scalar("SELECT pg_try_advisory_xact_lock($1, hashtext(current_schema()::text))");
    Ok(turn.bind(LOCK).fetch_one(tx).await?)
}

/// Lets nobody write rows until the end of the transaction. Organisations are locked before the log, as they are by
/// whoever writes, so that neither waits for the other.
async fn hold_rows(tx: &mut PgConnection) -> Result<()> {
    change(tx, "SET LOCAL lock_timeout = '500ms'".to_owned()).await?;
    change(tx, "LOCK TABLE orgs IN SHARE ROW EXCLUSIVE MODE".to_owned()).await
}

/// Names are the catalogue's, quoted by it, or made from a date.
async fn change(tx: &mut PgConnection, statement: String) -> Result<()> {
    sqlx::query(AssertSqlSafe(statement)).persistent(false).execute(tx).await?;
    Ok(())
}

/// The beginning of the month so many months after the one of that time, UTC.
fn month(time: Timestamp, later: i64) -> Timestamp {
    let (year, month, _) = civil(day_of(time));
    let months = year * 12 + month - 1 + later;
    let day = days_from_civil(months.div_euclid(12), months.rem_euclid(12) + 1, 1);
    Timestamp::from_micros(day * 86_400 * 1_000_000)
}

/// Days since the epoch.
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
