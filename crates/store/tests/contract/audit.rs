//! The audit trail.

use guardengine_store::{AuditFilter, AuditVerdict, Db, NewAuditEntry};
use sqlx::Connection;
use uuid::Uuid;

use crate::fixtures::{at, on_both, open};

const ORG: Uuid = Uuid::from_u128(5);

async fn append(db: &Db, target: &str) {
    append_at(db, target, 0).await;
}

async fn append_at(db: &Db, target: &str, seconds: i64) {
    let new = NewAuditEntry {
        org_id: ORG,
        principal: "ann",
        address: "192.0.2.7",
        action: "PROJECTS:CREATE_PROJECT",
        target,
        details: "{}",
    };
    db.append_audit(new, at(seconds)).await.unwrap();
}

#[tokio::test]
async fn entries_are_chained_from_the_first() {
    on_both(async |db| {
        for target in ["a", "b\0", "c"] {
            append(&db, target).await;
        }
        let entries = db.audit_entries(ORG, &AuditFilter::default(), None, 2).await.unwrap();
        assert_eq!(entries.iter().map(|entry| entry.sequence).collect::<Vec<_>>(), [3, 2]);
        assert_eq!(entries[0].previous_hash, entries[1].hash);
        let first = db.audit_entries(ORG, &AuditFilter::default(), Some(2), 9).await.unwrap();
        assert_eq!((first.len(), first[0].previous_hash.as_slice()), (1, &[0_u8; 32][..]));
        assert_eq!(db.verify_audit(ORG).await.unwrap().first_altered, None);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_entries_form_one_chain() {
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
        assert_eq!(db.audit_entries(ORG, &AuditFilter::default(), None, 100).await.unwrap().len(), 32);
        assert_eq!(db.verify_audit(ORG).await.unwrap().first_altered, None);
    })
    .await;
}

/// Changes the trail behind the product's back and returns the first altered sequence.
async fn first_altered_by(sql: &'static str) -> Option<i64> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.db").display().to_string();
    let db = open(&format!("sqlite://{path}")).await;
    for target in ["a", "b", "c"] {
        append(&db, target).await;
    }
    let mut connection = sqlx::SqliteConnection::connect(&path).await.unwrap();
    sqlx::query(sql).execute(&mut connection).await.unwrap();
    db.verify_audit(ORG).await.unwrap().first_altered
}

#[tokio::test]
async fn a_changed_or_missing_entry_is_detected() {
    let cases = [
        ("DELETE FROM audit_entries WHERE sequence = 9", None),
        ("DELETE FROM audit_entries WHERE sequence = 3", Some(3)),
        ("DELETE FROM audit_entries WHERE sequence = 1", Some(1)),
        ("UPDATE audit_entries SET principal = 'bob' WHERE sequence = 2", Some(2)),
        ("UPDATE audit_entries SET created_at = 0 WHERE sequence = 1", Some(1)),
        ("UPDATE audit_heads SET hash = previous_hash FROM audit_entries e WHERE e.sequence = 3", Some(3)),
    ];
    for (sql, expected) in cases {
        assert_eq!(first_altered_by(sql).await, expected, "{sql}");
    }
}

/// Returns where a trail begins, ends, is keyed from, and is altered.
const fn shown(verdict: &AuditVerdict) -> (i64, i64, Option<i64>, Option<i64>) {
    (verdict.begins_after, verdict.ends_with, verdict.keyed_from, verdict.first_altered)
}

#[tokio::test]
async fn a_chain_without_its_oldest_entries_is_verified_from_there() {
    on_both(async |db| {
        for second in 0..5 {
            append_at(&db, "x", second).await;
        }
        assert_eq!(db.delete_audit_entries_before(ORG, at(3)).await.unwrap(), 3);
        assert_eq!(db.delete_audit_entries_before(ORG, at(3)).await.unwrap(), 0);
        assert_eq!(shown(&db.verify_audit(ORG).await.unwrap()), (3, 5, Some(4), None));
        assert_eq!(db.delete_audit_entries_before(ORG, at(9)).await.unwrap(), 2);
        append_at(&db, "x", 9).await;
        assert_eq!(shown(&db.verify_audit(ORG).await.unwrap()), (5, 6, Some(6), None));
    })
    .await;
}

#[tokio::test]
async fn each_filter_returns_its_entries() {
    on_both(async |db| {
        append(&db, "a").await;
        let none = AuditFilter::default;
        let text = |value: &str| Some(value.to_owned());
        let filters = [
            (AuditFilter { action: text("PROJECTS:CREATE_PROJECT"), ..none() }, 1),
            (AuditFilter { action: text("PROJECTS"), ..none() }, 0),
            (AuditFilter { principal: text("ann"), ..none() }, 1),
            (AuditFilter { principal: text("an"), ..none() }, 0),
            (AuditFilter { from: Some(at(0)), to: Some(at(1)), ..none() }, 1),
            (AuditFilter { from: Some(at(1)), ..none() }, 0),
            (AuditFilter { to: Some(at(0)), ..none() }, 0),
        ];
        for (filter, expected) in filters {
            assert_eq!(db.audit_entries(ORG, &filter, None, 9).await.unwrap().len(), expected, "{filter:?}");
        }
    })
    .await;
}
