//! The audit trail.

use guardengine_store::{Act, Db};
use uuid::Uuid;

use crate::world::{at, on_both};

const ORG: Uuid = Uuid::from_u128(5);

async fn append(db: &Db, target: &str) {
    let act = Act { org_id: ORG, principal: "ann", action: "PROJECTS:CREATE_PROJECT", target, details: "{}" };
    db.append_audit(act, at(0)).await.unwrap();
}

/// As somebody with access to the database might, past the product.
async fn tamper(db: &Db, sql: &'static str) {
    match db {
        Db::Sqlite(_) => return,
        Db::Postgres(pool) => sqlx::query(sql).execute(pool).await.unwrap(),
    };
    assert!(db.first_broken_audit_entry(ORG).await.unwrap().is_some(), "{sql}");
}

#[tokio::test]
async fn entries_are_chained_from_the_first() {
    on_both(async |db| {
        for target in ["a", "b\0", "c"] {
            append(&db, target).await;
        }
        let entries = db.audit_entries(ORG, None, 2).await.unwrap();
        assert_eq!(entries.iter().map(|entry| entry.sequence).collect::<Vec<_>>(), [3, 2]);
        assert_eq!(entries[0].previous_hash, entries[1].hash);
        let first = db.audit_entries(ORG, Some(2), 9).await.unwrap();
        assert_eq!((first.len(), first[0].previous_hash.as_slice()), (1, &[0_u8; 32][..]));
        assert_eq!(db.first_broken_audit_entry(ORG).await.unwrap(), None);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_written_at_once_make_one_chain() {
    on_both(async |db| {
        let writers: Vec<_> = (0..32)
            .map(|_| {
                let db = db.clone();
                tokio::spawn(async move { append(&db, "x").await })
            })
            .collect();
        for writer in writers {
            writer.await.unwrap();
        }
        assert_eq!(db.audit_entries(ORG, None, 100).await.unwrap().len(), 32);
        assert_eq!(db.first_broken_audit_entry(ORG).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn a_changed_or_a_missing_entry_shows() {
    on_both(async |db| {
        for target in ["a", "b", "c"] {
            append(&db, target).await;
        }
        tamper(&db, "DELETE FROM audit_entries WHERE sequence = 3").await;
        tamper(&db, "UPDATE audit_entries SET principal = 'bob' WHERE sequence = 1").await;
    })
    .await;
}
