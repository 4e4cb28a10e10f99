//! Monthly partitions of the log in PostgreSQL.

use std::{
    env,
    time::{Duration, SystemTime},
};

use guardengine_store::{Charge, Db, DecisionRecord, LogEntry, LogFilter, Timestamp, new_id};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use uuid::Uuid;

use crate::fixtures::{change, log, open, org, own_schema, page};

const DAY: Duration = Duration::from_hours(24);

/// Returns a fresh PostgreSQL schema and a connection to it, if PostgreSQL is available.
async fn postgres() -> Option<(Db, PgConnection)> {
    let url = own_schema(&env::var("GUARDENGINE_TEST_POSTGRES").ok()?).await;
    Some((open(&url).await, PgConnection::connect(&url).await.unwrap()))
}

pub fn now() -> Timestamp {
    SystemTime::now().into()
}

fn row(org_id: Uuid, created_at: Timestamp) -> LogEntry {
    LogEntry { id: new_id(created_at), created_at, ..log(org_id, 0) }
}

async fn insert(db: &Db, rows: &[LogEntry]) {
    let decisions: Vec<_> = rows.iter().map(|row| DecisionRecord::of(row.clone(), "analyze")).collect();
    let charges = db.commit_decisions(&decisions).await.unwrap();
    assert!(charges.iter().all(|charge| matches!(charge, Charge::Paid { .. })), "{charges:?}");
}

pub async fn partitions(connection: &mut PgConnection) -> Vec<String> {
    sqlx::query_scalar(
        "SELECT relname::text FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
         WHERE inhparent = 'logs'::regclass ORDER BY relname",
    )
    .fetch_all(connection)
    .await
    .unwrap()
}

/// Returns the partition that contains an entry.
async fn partition_of(connection: &mut PgConnection, id: Uuid) -> String {
    let table = "SELECT relname::text FROM logs JOIN pg_class ON pg_class.oid = logs.tableoid WHERE id = $1";
    sqlx::query_scalar(table).bind(id).fetch_one(connection).await.unwrap()
}

#[tokio::test]
async fn sqlite_has_no_partitions() {
    let folder = tempfile::tempdir().unwrap();
    let db = open(&format!("sqlite://{}", folder.path().join("test.db").display())).await;
    assert!(db.create_log_partitions(now()).await.unwrap().is_empty());
    assert!(db.drop_log_partitions_before(now()).await.unwrap().is_empty());
}

#[tokio::test]
async fn partitions_are_created_ahead_once() {
    let Some((db, mut connection)) = postgres().await else { return };
    let (one, other) = tokio::join!(db.create_log_partitions(now()), db.create_log_partitions(now()));
    let mut made = [one.unwrap(), other.unwrap()].concat();
    made.extend(db.create_log_partitions(now()).await.unwrap());
    assert_eq!(made.len(), 1, "the first partition ends with the next month: {made:?}");
    let later = db.create_log_partitions(now() + DAY * 95).await.unwrap();
    assert!(later.len() == 3 || later.len() == 4, "{later:?}");
    let expected = [made, later, vec!["logs_default".into(), "logs_first".into()]].concat();
    assert_eq!(partitions(&mut connection).await, expected);
}

#[tokio::test]
async fn an_entry_from_a_clock_that_is_ahead_moves_to_its_partition() {
    let Some((db, mut connection)) = postgres().await else { return };
    let acme = org(&db, "Acme", 100).await;
    let rows = [row(acme.id, now()), row(acme.id, now() + DAY * 100), row(acme.id, now() + DAY * 4_000)];
    insert(&db, &rows).await;
    for (row, partition) in rows.iter().zip(["logs_first", "logs_default", "logs_default"]) {
        assert_eq!(partition_of(&mut connection, row.id).await, partition);
    }
    let made = db.create_log_partitions(now() + DAY * 95).await.unwrap();
    assert!(made.contains(&partition_of(&mut connection, rows[1].id).await));
    assert_eq!(partition_of(&mut connection, rows[2].id).await, "logs_default");

    let found = db.logs(acme.id, &LogFilter::default(), page(10)).await.unwrap().rows;
    assert_eq!(found, rows.iter().rev().cloned().collect::<Vec<_>>());
    let (followed, last) = db.logs_after(acme.id, &LogFilter::default(), 0, 10).await.unwrap();
    assert_eq!((followed.len(), last), (3, 3));
    assert!(change!(db.set_log_feedback(acme.id, rows[1].id, Some("missed_attack"), None)).await.unwrap());
}

#[tokio::test]
async fn a_partition_is_dropped_when_its_month_is_over_and_counted() {
    let Some((db, mut connection)) = postgres().await else { return };
    let (acme, quiet) = (org(&db, "Acme", 100).await, org(&db, "Quiet", 100).await);
    db.create_log_partitions(now() + DAY * 95).await.unwrap();
    let (old, other) = (row(acme.id, now()), row(quiet.id, now()));
    let rows = [old, other, row(acme.id, now() + DAY * 70), row(acme.id, now() + DAY * 110)];
    insert(&db, &rows).await;
    let before = now() + DAY * 105;
    assert!(db.drop_log_partitions_before(before).await.unwrap().is_empty(), "the rollup has not run");
    assert!(db.roll_up(acme.id, (0, 3), &[], &[]).await.unwrap());
    assert!(db.drop_log_partitions_before(before).await.unwrap().is_empty(), "one organization is behind");
    assert!(db.roll_up(quiet.id, (0, 1), &[], &[]).await.unwrap());
    assert!(
        db.drop_log_partitions_before(now() + DAY).await.unwrap().is_empty(),
        "the current month is not dropped"
    );
    let gone = db.drop_log_partitions_before(before).await.unwrap();
    assert!(gone.starts_with(&["logs_first".to_owned()]) && gone.len() >= 2, "{gone:?}");
    assert_eq!(db.logs(acme.id, &LogFilter::default(), page(10)).await.unwrap().rows, rows[3..]);

    // An entry that was spooled meanwhile.
    let late = row(acme.id, now());
    insert(&db, std::slice::from_ref(&late)).await;
    assert_eq!(partition_of(&mut connection, late.id).await, "logs_default");
    assert!(db.roll_up(acme.id, (3, 4), &[], &[]).await.unwrap());
    assert_eq!(db.delete_logs_before(acme.id, before).await.unwrap(), 1);
}

#[tokio::test]
async fn a_search_within_a_month_reads_only_its_partition() {
    let Some((db, mut connection)) = postgres().await else { return };
    let acme = org(&db, "Acme", 100).await;
    let made = db.create_log_partitions(now() + DAY * 95).await.unwrap();
    let early = row(acme.id, now() + DAY * 75);
    insert(&db, std::slice::from_ref(&early)).await;
    let here = partition_of(&mut connection, early.id).await;
    assert!(made.contains(&here));
    let (from, to) = (early.id, Uuid::from_u128(early.id.as_u128() + 1));
    let plan = format!(
        "EXPLAIN SELECT id FROM logs WHERE org_id = '{}' AND id >= '{from}' AND id < '{to}' ORDER BY id DESC LIMIT 50",
        acme.id
    );
    let plan: Vec<String> = sqlx::query_scalar(AssertSqlSafe(plan)).fetch_all(&mut connection).await.unwrap();
    let is_opened = |name: &String| plan.iter().any(|line| line.contains(&format!(" on {name} ")));
    let opened: Vec<_> = partitions(&mut connection).await.into_iter().filter(is_opened).collect();
    assert_eq!(opened, [here], "{plan:#?}");
}
