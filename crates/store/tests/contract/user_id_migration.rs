//! The migration that names the users behind calls, on a database of the version before.

use std::env;

use guardengine_store::{Db, LogFilter, LogScope, new_id};
use sqlx::{Connection, PgConnection, SqliteConnection, migrate::Migrator};
use uuid::Uuid;

use crate::fixtures::{at, migrations_before, own_schema, page};

const ORG: Uuid = Uuid::from_u128(7);
const FIRST: Uuid = Uuid::from_u128(1);
const SECOND: Uuid = Uuid::from_u128(2);
const OTHER: Uuid = Uuid::from_u128(3);
const KEY: Uuid = Uuid::from_u128(0x0192_abcd_ef01_7234_8567_89ab_cdef_0123);

/// Fills a database of the version before: `ann` left after second 20, and another user got the name at second 30.
macro_rules! fill {
    ($connection:expr, $database:literal) => {{
        let (folder, mut connection) = (migrations_before("0015", $database), $connection);
        Migrator::new(folder.path()).await.unwrap().run(&mut connection).await.unwrap();
        let org = "INSERT INTO orgs (id, name, name_key, credits, entry_count, created_at) VALUES ($1, 'A', 'a', 9, 0, 0)";
        sqlx::query(org).bind(ORG).execute(&mut connection).await.unwrap();
        let users = [(FIRST, "ann", " left", 0), (SECOND, "ann", "ann", 30), (OTHER, "bob", "bob", 0)];
        for (id, name, key, second) in users {
            let user = "INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES ($1, $2, $3, '', $4)";
            let user = sqlx::query(user).bind(id).bind(name).bind(key).bind(at(second));
            user.execute(&mut connection).await.unwrap();
        }
        let key = "INSERT INTO api_keys (id, org_id, user_id, hash, prefix, name, is_active, created_at, usage_count)
             VALUES ($1, $2, $3, $4, 'ge_', 'k', TRUE, 0, 0)";
        let key = sqlx::query(key).bind(KEY).bind(ORG).bind(OTHER).bind(vec![1_u8]);
        key.execute(&mut connection).await.unwrap();
        for (place, (principal, second)) in calls().iter().enumerate() {
            let log = "INSERT INTO logs (org_id, id, sequence, created_at, endpoint, direction, decision, outcome,
                 triggered_guardrails, confidence, safety_score, risk_level, principal, processing_time_ms, credits,
                 correlation_id, model_version)
                 VALUES ($1, $2, $3, $4, 'analyze', 'input', 'allow', 'allowed', '[]', 0, 99, 'no_risk', $5, 1, 1, 'c', '1')";
            let log = sqlx::query(log).bind(ORG).bind(new_id(at(*second))).bind(place as i64 + 1);
            log.bind(at(*second)).bind(principal).execute(&mut connection).await.unwrap();
        }
        connection.close().await.unwrap();
    }};
}

/// Principal and second of the calls.
fn calls() -> [(String, i64); 5] {
    let ann = || "user:ann".to_owned();
    [(ann(), 10), (ann(), 29), (ann(), 40), ("user:bob".to_owned(), 40), (format!("api_key:{KEY}"), 41)]
}

/// Checks who sees which calls, by their seconds.
async fn check(url: &str) {
    let db = Db::open(url).await.unwrap();
    for (user_id, seconds) in [(FIRST, vec![29, 10]), (SECOND, vec![]), (OTHER, vec![41, 40])] {
        let scope = Some(LogScope { projects: vec![], user_id: Some(user_id) });
        let filter = LogFilter { scope, ..LogFilter::default() };
        let seen = db.logs(ORG, &filter, page(9)).await.unwrap().rows;
        let seen: Vec<_> = seen.iter().map(|log| log.created_at.seconds() - at(0).seconds()).collect();
        assert_eq!(seen, seconds, "{user_id}");
    }
    assert_eq!(db.logs(ORG, &LogFilter::default(), page(9)).await.unwrap().rows.len(), calls().len());
    db.close().await;
}

#[tokio::test]
async fn earlier_calls_belong_to_the_only_user_who_had_the_name_by_then() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("old.db").display());
    fill!(SqliteConnection::connect(&format!("{url}?mode=rwc")).await.unwrap(), "sqlite");
    check(&url).await;
    if let Ok(url) = env::var("GUARDENGINE_TEST_POSTGRES") {
        let url = own_schema(&url).await;
        fill!(PgConnection::connect(&url).await.unwrap(), "postgres");
        check(&url).await;
    }
}
