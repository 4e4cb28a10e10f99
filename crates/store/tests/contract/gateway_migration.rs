//! The migration that notes the connectors of gateways, on a database of the version before.

use std::env;

use guardengine_store::Db;
use sqlx::{Connection, PgConnection, SqliteConnection, migrate::Migrator};
use uuid::Uuid;

use crate::fixtures::{migrations_before, own_schema};

const ORG: Uuid = Uuid::from_u128(0x7);
const OTHER_ORG: Uuid = Uuid::from_u128(0x8);
const FIRST: Uuid = Uuid::from_u128(0x0192_abcd_ef01_7234_8567_89ab_cdef_0123);
const SPARE: Uuid = Uuid::from_u128(0x0192_abcd_ef01_7234_8567_89ab_cdef_0124);
const UNUSED: Uuid = Uuid::from_u128(0x0192_abcd_ef01_7234_8567_89ab_cdef_0125);
const THEIRS: Uuid = Uuid::from_u128(0x0192_abcd_ef01_7234_8567_89ab_cdef_0126);
const GONE: Uuid = Uuid::max();

/// Name and gateway of each project.
fn projects() -> [(&'static str, Option<String>); 4] {
    let routes = format!(
        r#"{{"routes":[{{"model":"a","connector_id":"{FIRST}","upstream_model":null,"fallback_connector_id":"{SPARE}"}},
        {{"model":"b","connector_id":"{FIRST}","upstream_model":null,"fallback_connector_id":null}},
        {{"model":"c","connector_id":"{GONE}","upstream_model":"{UNUSED}","fallback_connector_id":"{THEIRS}"}}],
        "on_block":"refusal"}}"#
    );
    [
        ("chat", Some(routes)),
        ("mail", Some(format!(r#"{{"routes":[{{"model":"*","connector_id":"{FIRST}"}}]}}"#))),
        ("empty", Some(r#"{"routes":[],"on_block":"error"}"#.to_owned())),
        ("none", None),
    ]
}

/// Fills a database of the version before.
macro_rules! fill {
    ($connection:expr, $database:literal) => {{
        let (folder, mut connection) = (migrations_before("0024", $database), $connection);
        Migrator::new(folder.path()).await.unwrap().run(&mut connection).await.unwrap();
        for (id, name) in [(ORG, "a"), (OTHER_ORG, "b")] {
            let org = "INSERT INTO orgs (id, name, name_key, credits, entry_count, created_at) VALUES ($1, $2, $2, 9, 0, 0)";
            sqlx::query(org).bind(id).bind(name).execute(&mut connection).await.unwrap();
            let policy = "INSERT INTO policies (id, org_id, name, name_key, version, content, created_at, updated_at)
                 VALUES ($1, $1, 'p', 'p', 1, '{}', 0, 0)";
            sqlx::query(policy).bind(id).execute(&mut connection).await.unwrap();
        }
        for (id, org) in [(FIRST, ORG), (SPARE, ORG), (UNUSED, ORG), (THEIRS, OTHER_ORG)] {
            let made = "INSERT INTO connectors (id, org_id, connector_type, name, name_key, enabled, settings, secrets,
                 version, status, failures, next_check_at, created_at, updated_at)
                 VALUES ($1, $2, 'openai', $3, $3, TRUE, '{}', '{}', 1, 'active', 0, 0, 0, 0)";
            let made = sqlx::query(made).bind(id).bind(org).bind(id.to_string());
            made.execute(&mut connection).await.unwrap();
        }
        for (at, (name, gateway)) in projects().into_iter().enumerate() {
            let project = "INSERT INTO projects (id, org_id, name, name_key, policy_id, log_content, created_at, updated_at,
                 gateway) VALUES ($1, $2, $3, $3, $2, 'masked', 0, 0, $4)";
            let project = sqlx::query(project).bind(Uuid::from_u128(at as u128 + 1)).bind(ORG);
            project.bind(name).bind(gateway).execute(&mut connection).await.unwrap();
        }
        connection.close().await.unwrap();
    }};
}

/// Checks which projects use which connector.
async fn check(url: &str) {
    let db = Db::open(url).await.unwrap();
    for (org, id, expected) in [
        (ORG, FIRST, &["chat", "mail"][..]),
        (ORG, SPARE, &["chat"]),
        (ORG, UNUSED, &[]),
        (OTHER_ORG, THEIRS, &[]),
        (ORG, THEIRS, &[]),
    ] {
        assert_eq!(db.projects_of_connector(org, id).await.unwrap(), expected, "{id}");
    }
    db.close().await;
}

#[tokio::test]
async fn gateways_of_the_version_before_hold_their_connectors() {
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
