//! Copies of an installation to PostgreSQL.

use std::{
    env,
    path::Path,
    time::{Duration, SystemTime},
};

use guardengine_store::{
    CopyError, Db, DecisionRecord, LogEntry, LogFilter, NewAuditEntry, Paged, Timestamp, new_id,
};
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use crate::fixtures::{at, log, open, org, org_and_user, own_schema, page, policy};

/// Number of rows, enough for several batches.
const ROWS: i64 = 1_200;

async fn source(folder: &Path) -> (Db, Uuid) {
    let db = open(&format!("sqlite://{}", folder.join("source.db").display())).await;
    let (acme, _) = org_and_user(&db).await;
    policy(&db, &acme, "Strict").await;
    let rows: Vec<_> = (0..ROWS)
        .map(|second| DecisionRecord::of(LogEntry { credits: 0, ..log(acme.id, second) }, "analyze"))
        .collect();
    db.commit_decisions(&rows).await.unwrap();
    let act = NewAuditEntry {
        org_id: acme.id,
        principal: "p",
        address: "a",
        action: "A:B",
        target: "t",
        details: "{}",
    };
    db.append_audit(act, at(1)).await.unwrap();
    (db, acme.id)
}

/// Returns a fresh PostgreSQL schema, if PostgreSQL is available.
async fn target() -> Option<String> {
    Some(own_schema(&env::var("GUARDENGINE_TEST_POSTGRES").ok()?).await)
}

#[tokio::test]
async fn a_copy_equals_its_source() {
    let Some(url) = target().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (from, org) = source(folder.path()).await;
    let to = open(&url).await;
    let copied = from.copy_to(&to, |_| {}).await.unwrap();
    let logs = copied.iter().find(|table| table.table == "logs").unwrap();
    assert_eq!((logs.copied, logs.rows), (ROWS, ROWS));
    let Paged { rows, .. } = to.logs(org, &LogFilter::default(), page(500)).await.unwrap();
    assert_eq!(rows, from.logs(org, &LogFilter::default(), page(500)).await.unwrap().rows);
    assert_eq!(to.policies(org).await.unwrap(), from.policies(org).await.unwrap());
    assert_eq!(to.orgs().await.unwrap(), from.orgs().await.unwrap());
    assert!(!to.is_unfinished_copy().await.unwrap());
}

#[tokio::test]
async fn an_interrupted_copy_resumes() {
    let Some(url) = target().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (from, _) = source(folder.path()).await;
    let to = open(&url).await;
    let broken = (from.clone(), to.clone());
    let interrupted = tokio::spawn(async move {
        let interrupt = |table: &guardengine_store::CopiedTable| {
            assert!(table.table != "logs" || table.copied < 1_000, "interrupted");
        };
        drop(broken.0.copy_to(&broken.1, interrupt).await);
    });
    assert!(interrupted.await.unwrap_err().is_panic());
    assert!(to.is_unfinished_copy().await.unwrap());
    let mut first = None;
    let copied = from
        .copy_to(&to, |table| {
            if table.table == "logs" {
                first.get_or_insert(table.copied);
            }
        })
        .await;
    assert!(copied.unwrap().iter().all(|table| table.copied == table.rows));
    assert!(first.unwrap() >= 1_000, "the copy started over: {first:?}");
}

#[tokio::test]
async fn a_target_that_is_not_empty_is_refused() {
    let Some(url) = target().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (from, _) = source(folder.path()).await;
    let to = open(&url).await;
    org(&to, "Somebody else", 1).await;
    let refused = from.copy_to(&to, |_| {}).await.unwrap_err();
    assert!(matches!(refused, CopyError::NotEmpty(_)), "{refused}");
    assert_eq!(to.orgs().await.unwrap().len(), 1);
    assert!(matches!(to.copy_to(&from, |_| {}).await, Err(CopyError::Direction)));
}

#[tokio::test]
async fn a_copy_fills_the_partitions_of_the_target() {
    let Some(url) = target().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (from, org) = source(folder.path()).await;
    let to = open(&url).await;
    let now = Timestamp::from(SystemTime::now());
    to.create_log_partitions(now).await.unwrap();
    let rows = [0, 75, 400].map(|days| {
        let created_at = now + Duration::from_hours(24) * days;
        let row = LogEntry { id: new_id(created_at), created_at, credits: 0, ..log(org, 0) };
        DecisionRecord::of(row, "analyze")
    });
    from.commit_decisions(&rows).await.unwrap();
    let copied = from.copy_to(&to, |_| {}).await.unwrap();
    assert!(
        copied.iter().all(|table| !table.table.starts_with("logs_")),
        "partitions are not copied as tables: {copied:?}"
    );
    let logs = copied.iter().find(|table| table.table == "logs").unwrap();
    assert_eq!((logs.copied, logs.rows), (ROWS + 3, ROWS + 3));
    let Paged { rows, .. } = to.logs(org, &LogFilter::default(), page(500)).await.unwrap();
    assert_eq!(rows, from.logs(org, &LogFilter::default(), page(500)).await.unwrap().rows);
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let lie_in = sqlx::query_scalar::<_, i64>("SELECT COUNT(DISTINCT tableoid) FROM logs");
    assert!(lie_in.fetch_one(&mut connection).await.unwrap() >= 2);
}
