//! Log exports: start, lease, position.

use std::{env, time::Duration};

use guardengine_store::{Db, DecisionRecord, ExportBacklog, LogEntry, new_id};
use sqlx::Connection as _;
use uuid::Uuid;

use crate::fixtures::{at, log, on_both, open, org, own_schema};

const STREAM: &str = "rows";

async fn insert(db: &Db, org_id: Uuid, seconds: impl Iterator<Item = i64>) {
    let rows: Vec<_> = seconds.map(|second| DecisionRecord::of(log(org_id, second), "analyze")).collect();
    db.commit_decisions(&rows).await.unwrap();
}

async fn behind(db: &Db) -> Vec<(Uuid, i64, i64)> {
    let behind = db.export_backlogs(STREAM).await.unwrap();
    behind.into_iter().map(|ExportBacklog { org_id, position, newest }| (org_id, position, newest)).collect()
}

#[tokio::test]
async fn an_export_starts_once_with_new_entries_or_with_the_first() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        insert(&db, acme.id, 0..3).await;
        db.start_log_export(STREAM, false, at(3)).await.unwrap();
        assert_eq!(behind(&db).await, []);
        insert(&db, acme.id, 3..5).await;
        db.start_log_export(STREAM, false, at(5)).await.unwrap();
        assert_eq!(behind(&db).await, [(acme.id, 3, 5)], "registering again changes nothing");
        let late = org(&db, "Late", 99).await;
        insert(&db, late.id, 5..6).await;
        // Both ids are of one moment: either may come first.
        assert!(
            behind(&db).await.contains(&(late.id, 0, 1)),
            "a later organization is exported from its first entry"
        );
        db.start_log_export("whole", true, at(6)).await.unwrap();
        let whole = db.export_backlogs("whole").await.unwrap();
        assert!(whole.contains(&ExportBacklog { org_id: acme.id, position: 0, newest: 5 }));
    })
    .await;
}

#[tokio::test]
async fn a_position_advances_only_from_the_value_that_was_read() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 99).await;
        db.start_log_export(STREAM, true, at(0)).await.unwrap();
        insert(&db, acme.id, 0..4).await;
        let moved = async |from, to| db.advance_log_export(STREAM, acme.id, (from, to)).await.unwrap();
        assert!(moved(0, 2).await);
        assert!(!moved(0, 3).await, "another process moved the position");
        assert_eq!(behind(&db).await, [(acme.id, 2, 4)]);
        assert!(moved(2, 4).await);
        assert_eq!(behind(&db).await, []);
    })
    .await;
}

#[tokio::test]
async fn one_replica_exports_until_its_lease_ends_or_is_released() {
    on_both(async |db| {
        db.start_log_export(STREAM, true, at(0)).await.unwrap();
        let [one, other] = [new_id(at(0)), new_id(at(0))];
        let leased =
            async |holder, now| db.lease_log_export(STREAM, holder, at(now), at(now + 10)).await.unwrap();
        assert!(leased(one, 0).await);
        assert!(!leased(other, 9).await);
        assert!(leased(one, 9).await, "the lease holds");
        assert!(!leased(other, 18).await && leased(other, 19).await, "the lease has expired");
        db.release_log_export(STREAM, one, at(20)).await.unwrap();
        assert!(!leased(one, 20).await, "only the holder can release the lease");
        db.release_log_export(STREAM, other, at(20)).await.unwrap();
        assert!(leased(one, 20).await);
    })
    .await;
}

#[tokio::test]
async fn a_lease_from_before_the_clock_went_back_is_void() {
    on_both(async |db| {
        db.start_log_export(STREAM, true, at(0)).await.unwrap();
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let leased =
            async |holder, now| db.lease_log_export(STREAM, holder, at(now), at(now + 10)).await.unwrap();
        assert!(leased(one, 3_600).await);
        assert!(!leased(other, 3_600 - 300).await, "the clocks of replicas differ");
        assert!(leased(other, 0).await, "the clock went back by an hour");
    })
    .await;
}

#[tokio::test]
async fn reports_the_lag_of_an_export_and_the_sizes_of_its_entries() {
    on_both(async |db| {
        let (acme, other) = (org(&db, "Acme", 99).await, org(&db, "Other", 99).await);
        db.start_log_export(STREAM, true, at(0)).await.unwrap();
        let lag = async || {
            let lag = db.log_export_lag(STREAM).await.unwrap();
            (lag.rows, lag.oldest)
        };
        assert_eq!(lag().await, (0, None));
        let long = LogEntry { text: Some("\u{e9}".repeat(50)), ..log(acme.id, 7) };
        db.commit_decisions(&[DecisionRecord::of(long, "analyze")]).await.unwrap();
        insert(&db, acme.id, 8..10).await;
        insert(&db, other.id, 9..10).await;
        assert_eq!(lag().await, (4, Some(at(7))));
        let sizes = db.log_sizes_after(acme.id, 0, 2).await.unwrap();
        let short = sizes[1].bytes;
        assert_eq!(
            (sizes[0].sequence, sizes[0].bytes - short, sizes.len()),
            (1, 100, 2),
            "bytes, not characters"
        );
        db.advance_log_export(STREAM, acme.id, (0, 3)).await.unwrap();
        assert_eq!(lag().await, (1, Some(at(9))));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_log_entry_is_numbered_below_a_visible_one() {
    let Ok(url) = env::var("GUARDENGINE_TEST_POSTGRES") else { return };
    let url = own_schema(&url).await;
    let db = open(&url).await;
    let acme = org(&db, "Acme", 99).await;
    db.start_log_export(STREAM, true, at(0)).await.unwrap();
    insert(&db, acme.id, 0..1).await;
    let mut slow = sqlx::PgConnection::connect(&url).await.unwrap();
    let mut slow = slow.begin().await.unwrap();
    sqlx::query("UPDATE orgs SET log_count = log_count + 1 WHERE id = $1")
        .bind(acme.id)
        .execute(&mut *slow)
        .await
        .unwrap();
    let other = db.clone();
    let fast = tokio::spawn(async move { insert(&other, acme.id, 1..2).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!fast.is_finished(), "the later commit waits for its number");
    assert_eq!(behind(&db).await, [(acme.id, 0, 1)]);
    slow.rollback().await.unwrap();
    fast.await.unwrap();
    let rows = db.logs_after(acme.id, &guardengine_store::LogFilter::default(), 0, 9).await.unwrap().0;
    assert_eq!(rows.iter().map(|row| row.sequence).collect::<Vec<_>>(), [1, 2], "the numbers have no gap");
}
