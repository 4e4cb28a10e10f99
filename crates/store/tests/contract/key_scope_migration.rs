//! The migrations that add scopes of API keys and settings of organizations, and that drop the names of failed sign-ins, on
//! a database of the version before.

use std::env;

use guardengine_store::Db;
use sqlx::{Connection, PgConnection, SqliteConnection, migrate::Migrator};
use uuid::Uuid;

use crate::fixtures::{at, migrations_before, own_schema};

const ORG: Uuid = Uuid::from_u128(7);
const USER: Uuid = Uuid::from_u128(1);
const KEY: Uuid = Uuid::from_u128(2);

/// Fills a database of the version before.
macro_rules! fill {
    ($connection:expr, $database:literal) => {{
        let (folder, mut connection) = (migrations_before("0018", $database), $connection);
        Migrator::new(folder.path()).await.unwrap().run(&mut connection).await.unwrap();
        let org = "INSERT INTO orgs (id, name, name_key, credits, entry_count, created_at) VALUES ($1, 'A', 'a', 9, 0, 0)";
        sqlx::query(org).bind(ORG).execute(&mut connection).await.unwrap();
        let user = "INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES ($1, 'ann', 'ann', '', 0)";
        sqlx::query(user).bind(USER).execute(&mut connection).await.unwrap();
        let key = "INSERT INTO api_keys (id, org_id, user_id, hash, prefix, name, is_active, created_at, usage_count)
             VALUES ($1, $2, $3, $4, 'ge_', 'k', TRUE, 0, 3)";
        let key = sqlx::query(key).bind(KEY).bind(ORG).bind(USER).bind(vec![1_u8]);
        key.execute(&mut connection).await.unwrap();
        let attempt = "INSERT INTO login_attempts (username_key, attempts, window_ends_at, locked_until)
             VALUES ('hunter2', 1, $1, 0)";
        sqlx::query(attempt).bind(at(600)).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    }};
}

async fn has_migrated(db: &Db) {
    let key = db.api_key(ORG, KEY).await.unwrap().unwrap();
    assert_eq!((key.project_id, key.permissions, key.usage_count), (None, None, 3));
    assert!(!db.org(ORG).await.unwrap().unwrap().require_project);
    // The row is gone, though its window has not ended.
    assert_eq!(db.delete_ended_login_attempts(at(9_999)).await.unwrap(), 0);
}

#[tokio::test]
async fn keys_and_organizations_stay_as_they_were_and_typed_names_go() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("test.db").display());
    fill!(SqliteConnection::connect(&format!("{url}?mode=rwc")).await.unwrap(), "sqlite");
    has_migrated(&Db::open(&url).await.unwrap()).await;
    let Ok(url) = env::var("GUARDENGINE_TEST_POSTGRES") else { return };
    let url = own_schema(&url).await;
    fill!(PgConnection::connect(&url).await.unwrap(), "postgres");
    has_migrated(&Db::open(&url).await.unwrap()).await;
}
