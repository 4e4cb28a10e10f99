//! Audit trails under a key that whoever writes the database does not have.

use guardengine_store::{AuditFilter, AuditHead, AuditKey, Db, Error, HeadCheck, NewAuditEntry, SEAL_ACTION};
use sha2::{Digest, Sha256};
use sqlx::migrate::Migrator;
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use uuid::Uuid;

use crate::fixtures::{at, event, migrations_before, on_both, open, org, own_schema};

const ORG: Uuid = Uuid::from_u128(5);
const KEY: AuditKey = AuditKey::new([7; 32]);

async fn append(db: &Db, org_id: Uuid, seconds: i64) -> Result<(), Error> {
    let new = NewAuditEntry {
        org_id,
        principal: "ann",
        address: "192.0.2.7",
        action: "PROJECTS:CREATE_PROJECT",
        target: "a",
        details: "{}",
    };
    db.append_audit(new, at(seconds)).await.map(drop)
}

/// Returns the plain hash of an entry of an earlier version, whose fields are all empty.
fn plain_hash(previous: &[u8], sequence: i64) -> Vec<u8> {
    let mut digest = Sha256::new_with_prefix(previous);
    digest.update(ORG);
    digest.update(sequence.to_be_bytes());
    digest.update(Uuid::nil());
    digest.update([0; 8]);
    digest.update([0; 5 * 8]);
    digest.finalize().to_vec()
}

/// Writes a plain chain of this length as an earlier version did, without a key.
macro_rules! write_plain_chain {
    ($connection:expr, $length:expr, $keyed:literal) => {{
        let mut previous = vec![0_u8; 32];
        for sequence in 1..=$length {
            let hash = plain_hash(&previous, sequence);
            let insert = concat!(
                "INSERT INTO audit_entries (org_id, sequence, id, created_at, principal, address, action, target, details, \
                 previous_hash, hash",
                $keyed
            );
            let insert = sqlx::query(AssertSqlSafe(insert)).bind(ORG).bind(sequence).bind(Uuid::nil());
            insert.bind(&previous).bind(&hash).execute(&mut *$connection).await.unwrap();
            previous = hash;
        }
        let head = "INSERT INTO audit_heads (org_id, sequence, hash) VALUES ($1, $2, $3)
                    ON CONFLICT (org_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash";
        let head = sqlx::query(head).bind(ORG).bind($length).bind(previous);
        head.execute(&mut *$connection).await.unwrap();
    }};
}

/// Fills a database of the version before the key.
macro_rules! fill {
    ($connection:expr, $database:literal) => {{
        let (folder, mut connection) = (migrations_before("0021", $database), $connection);
        Migrator::new(folder.path()).await.unwrap().run(&mut connection).await.unwrap();
        write_plain_chain!(&mut connection, 3_i64, ") VALUES ($1, $2, $3, 0, '', '', '', '', '', $4, $5)");
        connection.close().await.unwrap();
    }};
}

async fn is_sealed_by_the_key(url: &str) {
    let db = Db::open(url).await.unwrap();
    assert_eq!(db.verify_audit(ORG).await.unwrap().first_altered, None, "it is sound before");
    assert!(matches!(append(&db, ORG, 9).await, Err(Error::AuditKeyMissing)));
    assert_eq!(db.create_audit_key(b"sealed", &KEY, at(1)).await.unwrap(), b"sealed");
    assert!(matches!(db.verify_audit(ORG).await, Err(Error::AuditKeyMissing)));
    db.set_audit_key(KEY);
    let other = AuditKey::new([8; 32]);
    assert_eq!(db.create_audit_key(b"other", &other, at(2)).await.unwrap(), b"sealed", "the first key stays");
    let verdict = db.verify_audit(ORG).await.unwrap();
    assert_eq!((verdict.ends_with, verdict.keyed_from, verdict.first_altered), (4, Some(4), None));
    let sealing = &db.audit_entries(ORG, &AuditFilter::default(), None, 1).await.unwrap()[0];
    assert_eq!((&*sealing.action, &*sealing.principal, sealing.keyed), (SEAL_ACTION, "upgrade", true));
    append(&db, ORG, 3).await.unwrap();
    assert_eq!(db.verify_audit(ORG).await.unwrap().first_altered, None);
    // Retention deletes across the border.
    assert_eq!(db.delete_audit_entries_before(ORG, at(2)).await.unwrap(), 4);
    assert_eq!(db.verify_audit(ORG).await.unwrap().first_altered, None);
    db.close().await;
}

#[tokio::test]
async fn trails_of_an_earlier_version_are_sealed_by_the_first_key() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("test.db").display());
    fill!(SqliteConnection::connect(&format!("{url}?mode=rwc")).await.unwrap(), "sqlite");
    is_sealed_by_the_key(&url).await;
    let Ok(url) = std::env::var("GUARDENGINE_TEST_POSTGRES") else { return };
    let url = own_schema(&url).await;
    fill!(PgConnection::connect(&url).await.unwrap(), "postgres");
    is_sealed_by_the_key(&url).await;
}

#[tokio::test]
async fn the_previous_version_cannot_append_beside_this_one() {
    let Ok(url) = std::env::var("GUARDENGINE_TEST_POSTGRES") else { return };
    let url = own_schema(&url).await;
    open(&url).await.close().await;
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let insert =
        "INSERT INTO audit_entries (org_id, sequence, id, created_at, principal, address, action, target,
                  details, previous_hash, hash) VALUES ($1, 1, $1, 0, '', '', '', '', '', '', '')";
    let refused = sqlx::query(insert).bind(ORG).execute(&mut connection).await.unwrap_err();
    assert!(refused.to_string().contains("keyed"), "{refused}");
}

/// A database with three keyed entries, whose file somebody without the key can write.
async fn tampered(tamper: impl AsyncFn(&mut SqliteConnection)) -> Option<i64> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.db").display().to_string();
    let db = open(&format!("sqlite://{path}")).await;
    for second in 0..3 {
        append(&db, ORG, second).await.unwrap();
    }
    tamper(&mut SqliteConnection::connect(&path).await.unwrap()).await;
    db.verify_audit(ORG).await.unwrap().first_altered
}

async fn run(connection: &mut SqliteConnection, statements: &[&'static str]) {
    for statement in statements {
        sqlx::query(*statement).execute(&mut *connection).await.unwrap();
    }
}

/// Rewrites the whole trail as a plain chain, as an earlier version wrote it.
async fn rewrite(connection: &mut SqliteConnection) {
    run(connection, &["DELETE FROM audit_entries"]).await;
    write_plain_chain!(
        connection,
        5_i64,
        ", keyed) VALUES ($1, $2, $3, 0, '', '', '', '', '', $4, $5, FALSE)"
    );
}

#[tokio::test]
async fn a_chain_that_was_rewritten_without_the_key_is_detected() {
    assert_eq!(tampered(async |_| {}).await, None);
    assert_eq!(tampered(rewrite).await, Some(6), "the keyed entry after the forged ones is missing");
    let one = async |connection: &mut SqliteConnection| {
        run(connection, &["DELETE FROM audit_entries WHERE sequence < 3"]).await;
        write_plain_chain!(
            connection,
            2_i64,
            ", keyed) VALUES ($1, $2, $3, 0, '', '', '', '', '', $4, $5, FALSE)"
        );
    };
    assert_eq!(tampered(one).await, Some(3));
    let downgraded = async |connection: &mut SqliteConnection| {
        run(connection, &["UPDATE audit_entries SET keyed = FALSE WHERE sequence = 2"]).await;
    };
    assert_eq!(tampered(downgraded).await, Some(2));
    let swapped = async |connection: &mut SqliteConnection| {
        let swap = [
            "UPDATE audit_entries SET sequence = 9 WHERE sequence = 1",
            "UPDATE audit_entries SET sequence = 1 WHERE sequence = 2",
            "UPDATE audit_entries SET sequence = 2 WHERE sequence = 9",
        ];
        run(connection, &swap).await;
    };
    assert_eq!(tampered(swapped).await, Some(1));
}

const CUT_BEGINNING: [&str; 2] = [
    "INSERT INTO audit_origins (org_id, sequence, hash, mac) SELECT org_id, sequence, hash, hash FROM audit_entries
     WHERE sequence = 2",
    "DELETE FROM audit_entries WHERE sequence <= 2",
];

#[tokio::test]
async fn a_beginning_that_retention_did_not_cut_is_detected() {
    assert_eq!(tampered(async |connection| run(connection, &CUT_BEGINNING).await).await, Some(2));
}

#[tokio::test]
async fn retention_does_not_delete_what_would_hide_an_alteration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.db").display().to_string();
    let db = open(&format!("sqlite://{path}")).await;
    for second in 0..5 {
        append(&db, ORG, second).await.unwrap();
    }
    let mut connection = SqliteConnection::connect(&path).await.unwrap();
    run(&mut connection, &["UPDATE audit_entries SET principal = 'eve' WHERE sequence = 2"]).await;
    let refused = db.delete_audit_entries_before(ORG, at(9)).await.unwrap_err();
    assert!(matches!(refused, Error::AuditTrailAltered(ORG, 2)), "{refused}");
    assert_eq!(db.verify_audit(ORG).await.unwrap().first_altered, Some(2));
    run(&mut connection, &["UPDATE audit_entries SET principal = 'ann' WHERE sequence = 2"]).await;
    run(&mut connection, &CUT_BEGINNING).await;
    let refused = db.delete_audit_entries_before(ORG, at(9)).await.unwrap_err();
    assert!(matches!(refused, Error::AuditTrailAltered(ORG, 2)), "{refused}");
}

#[tokio::test]
async fn a_kept_head_proves_that_the_end_was_cut_or_replaced() {
    on_both(async |db| {
        for second in 0..3 {
            append(&db, ORG, second).await.unwrap();
        }
        let kept = db.audit_heads().await.unwrap().pop().unwrap();
        assert_eq!((kept.org_id, kept.sequence), (ORG, 3));
        append(&db, ORG, 4).await.unwrap();
        assert_eq!(db.check_audit_head(&kept).await.unwrap(), HeadCheck::Held);
        let other = AuditHead { hash: vec![1; 32], ..kept.clone() };
        assert_eq!(db.check_audit_head(&other).await.unwrap(), HeadCheck::Missing);
        let later = AuditHead { sequence: 9, ..kept.clone() };
        let mut verdict = db.verify_audit(ORG).await.unwrap();
        verdict.apply(&later, db.check_audit_head(&later).await.unwrap());
        assert_eq!(verdict.first_altered, Some(5), "the first that was cut off");
        db.delete_audit_entries_before(ORG, at(3)).await.unwrap();
        assert_eq!(db.check_audit_head(&kept).await.unwrap(), HeadCheck::Held, "the chain begins after it");
        let earlier = AuditHead { sequence: 2, ..kept };
        assert_eq!(db.check_audit_head(&earlier).await.unwrap(), HeadCheck::Deleted);
    })
    .await;
}

#[tokio::test]
async fn each_head_of_an_organization_is_announced_once() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        assert_eq!(db.unannounced_audit_heads().await.unwrap(), [], "the installation has no events");
        append(&db, acme.id, 0).await.unwrap();
        let heads = db.unannounced_audit_heads().await.unwrap();
        assert_eq!((heads.len(), heads[0].org_id), (1, acme.id));
        assert!(db.announce_audit_head(&heads[0], event(0, "audit.head")).await.unwrap());
        assert!(!db.announce_audit_head(&heads[0], event(1, "audit.head")).await.unwrap());
        assert_eq!(db.unannounced_audit_heads().await.unwrap(), []);
        append(&db, acme.id, 1).await.unwrap();
        assert_eq!(db.unannounced_audit_heads().await.unwrap()[0].sequence, 2);
    })
    .await;
}

#[tokio::test]
async fn a_lost_key_is_not_replaced_by_another() {
    on_both(async |db| {
        append(&db, ORG, 0).await.unwrap();
        let refused = db.create_audit_key(b"sealed", &AuditKey::new([8; 32]), at(1)).await;
        assert!(matches!(refused, Err(Error::AuditKeyMissing)));
        assert_eq!(db.sealed_audit_key().await.unwrap(), None);
    })
    .await;
}
