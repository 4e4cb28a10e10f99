//! The audit trail.

use guardengine_store::{Act, Db};
use sqlx::Connection;
use uuid::Uuid;

use crate::world::{at, on_both};

const ORG: Uuid = Uuid::from_u128(5);

async fn append(db: &Db, target: &str) {
    let act = Act {
        org_id: ORG,
        principal: "ann",
        address: "192.0.2.7",
        action: "PROJECTS:CREATE_PROJECT",
        target,
        details: "{}",
    };
    db.append_audit(act, at(0)).await.unwrap();
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

/// Meddles past the product, as somebody with access to the database file might.
async fn broken_by(sql: &'static str) -> Option<i64> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.db").display().to_string();
    let db = Db::open(&format!("sqlite://{path}")).await.unwrap();
    for target in ["a", "b", "c"] {
        append(&db, target).await;
    }
    let mut connection = sqlx::SqliteConnection::connect(&path).await.unwrap();
    sqlx::query(sql).execute(&mut connection).await.unwrap();
    db.first_broken_audit_entry(ORG).await.unwrap()
}

#[tokio::test]
async fn a_changed_or_a_missing_entry_shows() {
    let cases = [
        ("DELETE FROM audit_entries WHERE sequence = 9", None),
        ("DELETE FROM audit_entries WHERE sequence = 3", Some(3)),
        ("DELETE FROM audit_entries WHERE sequence = 1", Some(1)),
        ("UPDATE audit_entries SET principal = 'bob' WHERE sequence = 2", Some(2)),
        ("UPDATE audit_entries SET created_at = 0 WHERE sequence = 1", Some(1)),
    ];
    for (sql, expected) in cases {
        assert_eq!(broken_by(sql).await, expected, "{sql}");
    }
}
