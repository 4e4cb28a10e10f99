//! The migration that partitions the log by month, while the previous version is running.

use std::{env, fs, path::Path, time::Duration};

use guardengine_store::{Db, LogFilter, new_id};
use sqlx::{Connection, Executor, PgConnection, migrate::Migrator};
use uuid::Uuid;

use crate::fixtures::{at, own_schema, page};
use crate::log_partitions::{now, partitions};

const DAY: Duration = Duration::from_hours(24);
const ORG: Uuid = Uuid::from_u128(7);

/// Creates a database with the schema of the previous version, and an organization.
async fn previous_version(url: &str) -> PgConnection {
    let folder = tempfile::tempdir().unwrap();
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations/postgres")).unwrap() {
        let file = file.unwrap();
        if file.file_name().to_str().unwrap() < "0012" {
            fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
        }
    }
    let mut connection = PgConnection::connect(url).await.unwrap();
    Migrator::new(folder.path()).await.unwrap().run(&mut connection).await.unwrap();
    let acme = "INSERT INTO orgs (id, name, name_key, credits, entry_count, created_at) VALUES ($1, 'A', 'a', 9, 0, 0)";
    sqlx::query(acme).bind(ORG).execute(&mut connection).await.unwrap();
    connection
}

/// Writes a log entry as the previous version does.
async fn write(connection: &mut PgConnection, id: Uuid, sequence: i64) -> Result<(), sqlx::Error> {
    let insert = sqlx::query(
        "INSERT INTO logs (org_id, id, sequence, created_at, endpoint, direction, decision, outcome, triggered_guardrails,
         confidence, safety_score, risk_level, principal, processing_time_ms, credits, correlation_id, model_version)
         VALUES ($1, $2, $3, 0, 'analyze', 'input', 'allow', 'allowed', '[]', 0, 99, 'no_risk', 'p', 1, 1, 'c', '1')",
    );
    insert.bind(ORG).bind(id).bind(sequence).execute(connection).await.map(drop)
}

async fn count(connection: &mut PgConnection) -> i64 {
    let rows = sqlx::query_scalar("SELECT COUNT(*) FROM logs WHERE org_id = $1");
    rows.bind(ORG).fetch_one(connection).await.unwrap()
}

#[tokio::test]
async fn the_previous_version_keeps_working_during_the_migration() {
    let Ok(url) = env::var("GUARDENGINE_TEST_POSTGRES") else { return };
    let url = own_schema(&url).await;
    let mut old = previous_version(&url).await;
    // The last one comes from a clock that is far ahead.
    let ids = [new_id(at(0)), new_id(now()), new_id(now() + DAY * 200)];
    for (id, sequence) in ids.iter().zip(1..) {
        write(&mut old, *id, sequence).await.unwrap();
    }
    assert_eq!(count(&mut old).await, 3);

    let db = Db::open(&url).await.unwrap();
    assert_eq!(partitions(&mut old).await, ["logs_default", "logs_first"]);
    // Prepared statements still work, and entries of any time are accepted.
    write(&mut old, new_id(now()), 4).await.unwrap();
    write(&mut old, new_id(now() + DAY * 900), 5).await.unwrap();
    assert_eq!(count(&mut old).await, 5);
    assert!(write(&mut old, ids[0], 6).await.is_err(), "ids are unique");
    let rows = db.logs(ORG, &LogFilter::default(), page(10)).await.unwrap().rows;
    assert_eq!((rows.len(), rows[4].id), (5, ids[0]));
}

#[tokio::test]
async fn an_interrupted_migration_is_repeated() {
    let Ok(url) = env::var("GUARDENGINE_TEST_POSTGRES") else { return };
    let url = own_schema(&url).await;
    let mut old = previous_version(&url).await;
    write(&mut old, new_id(at(0)), 1).await.unwrap();
    let bound = "ALTER TABLE logs ADD CONSTRAINT logs_are_earlier
                 CHECK (id < 'ffffffff-0000-0000-0000-000000000000') NOT VALID";
    old.execute(bound).await.unwrap();
    Db::open(&url).await.unwrap().close().await;
    // The tables were exchanged, but the migration was not recorded yet.
    old.execute("DELETE FROM _sqlx_migrations WHERE version = 12").await.unwrap();
    let db = Db::open(&url).await.unwrap();
    assert_eq!(partitions(&mut old).await, ["logs_default", "logs_first"]);
    assert_eq!(db.logs(ORG, &LogFilter::default(), page(10)).await.unwrap().rows.len(), 1);
}

#[tokio::test]
async fn the_first_partition_keeps_the_existing_indexes() {
    let Ok(url) = env::var("GUARDENGINE_TEST_POSTGRES") else { return };
    let url = own_schema(&url).await;
    let mut old = previous_version(&url).await;
    let indices = "SELECT indexrelid::oid::int8 FROM pg_index WHERE indrelid = $1::regclass ORDER BY 1";
    let before: Vec<i64> = sqlx::query_scalar(indices).bind("logs").fetch_all(&mut old).await.unwrap();
    Db::open(&url).await.unwrap().close().await;
    let after: Vec<i64> = sqlx::query_scalar(indices).bind("logs_first").fetch_all(&mut old).await.unwrap();
    // Later versions have further indexes.
    assert!(before.iter().all(|index| after.contains(index)), "no partition is created again");
    let apart: Vec<String> = sqlx::query_scalar(
        "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = 'logs_first'::regclass
         AND NOT EXISTS (SELECT 1 FROM pg_inherits WHERE inhrelid = indexrelid)",
    )
    .fetch_all(&mut old)
    .await
    .unwrap();
    assert_eq!(apart, ["logs_first_by_sequence"]);
}
