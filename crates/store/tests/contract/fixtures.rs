//! Fresh databases, and the rows that most tests begin with.

use std::{env, fs, path::Path};

use guardengine_store::{
    Actor, AuditKey, Created, Db, LogEntry, NewEvent, NewUser, Org, Page, Policy, PolicyFields, Timestamp,
    User, new_id,
};
use sqlx::Connection;
use tempfile::TempDir;
use uuid::Uuid;

/// Makes one change of [`Tx`](guardengine_store::Tx) in its own transaction, with an audit entry in the trail of
/// [`actor`]: `change!(db.create_org("Acme", 1, at(0))).await`.
macro_rules! change {
    ($db:ident.$change:ident($($argument:expr),* $(,)?)) => {
        async {
            let mut tx = $db.audited($crate::fixtures::at(0)).await?;
            let outcome = tx.$change($($argument),*).await?;
            // PostgreSQL has aborted the transaction.
            if format!("{outcome:?}") != "NameTaken" {
                tx.commit(&$crate::fixtures::actor(), "TESTS:CHANGE", stringify!($change), "{}").await?;
            }
            Ok::<_, guardengine_store::Error>(outcome)
        }
    };
}
pub(crate) use change;

/// Runs a test on a fresh database of each kind.
pub async fn on_both(test: impl AsyncFn(Db)) {
    let folder = tempfile::tempdir().unwrap();
    on(&format!("sqlite://{}", folder.path().join("test.db").display()), &test).await;
    if let Ok(url) = env::var("GUARDENGINE_TEST_POSTGRES") {
        on(&own_schema(&url).await, &test).await;
    }
}

/// Runs a case of a property test on a fresh SQLite database.
pub fn on_sqlite<F: Future<Output = ()>>(case: impl FnOnce(Db) -> F) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let db = open(&format!("sqlite://{}", folder.path().join("law.db").display())).await;
        case(db.clone()).await;
        db.close().await;
    });
}

async fn on(url: &str, test: impl AsyncFn(Db)) {
    let db = open(url).await;
    test(db.clone()).await;
    db.close().await;
}

/// Opens a database with the key of its audit trails.
pub async fn open(url: &str) -> Db {
    let db = Db::open(url).await.unwrap();
    db.set_audit_key(AuditKey::new([7; 32]));
    db
}

/// Returns the URL of a schema that no other test uses, because tests run concurrently.
pub async fn own_schema(url: &str) -> String {
    let schema = format!("test_{}", new_id(at(0)).simple());
    let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
    let statement = sqlx::AssertSqlSafe(format!("CREATE SCHEMA {schema}"));
    sqlx::query(statement).execute(&mut connection).await.unwrap();
    let joint = if url.contains('?') { '&' } else { '?' };
    format!("{url}{joint}options[search_path]={schema}")
}

/// Returns a folder with the migrations of a database before that version, four digits.
pub fn migrations_before(version: &str, database: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(database)).unwrap()
    {
        let file = file.unwrap();
        if file.file_name().to_str().unwrap() < version {
            fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
        }
    }
    folder
}

/// User of the log entries of [`log`].
pub const ANN: Uuid = Uuid::from_u128(0xa);
/// Another user.
pub const BOB: Uuid = Uuid::from_u128(0xb);

/// Returns the time this many seconds after the start of the tests.
pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros((1_767_323_045 + seconds) * 1_000_000)
}

pub fn done<T: std::fmt::Debug>(created: Created<T>) -> T {
    match created {
        Created::Done(row) => row,
        Created::NameTaken => panic!("the name is taken"),
    }
}

pub async fn org(db: &Db, name: &str, credits: i64) -> Org {
    done(change!(db.create_org(name, credits, at(0))).await.unwrap())
}

pub async fn user(db: &Db, org: &Org, username: &str) -> User {
    let new = NewUser { username, password_hash: "hash", org_id: org.id, role: "viewer" };
    done(change!(db.create_user(new, at(0))).await.unwrap())
}

pub async fn org_and_user(db: &Db) -> (Org, User) {
    let org = org(db, "Acme", 100).await;
    let user = user(db, &org, "ann").await;
    (org, user)
}

pub async fn policy(db: &Db, org: &Org, name: &str) -> Policy {
    let text = PolicyFields { name, content: "{}", by: "ann", connectors: &[] };
    done(change!(db.create_policy(org.id, text, at(0))).await.unwrap())
}

/// Returns the actor of changes, whose organization's trail records them.
pub fn actor() -> Actor {
    Actor { org_id: Uuid::nil(), principal: "user:ann".into(), address: "192.0.2.7".into() }
}

pub fn page(limit: u16) -> Page {
    Page { limit, before: None }
}

/// Returns an event of that second.
pub fn event(seconds: i64, kind: &'static str) -> NewEvent {
    NewEvent {
        id: new_id(at(seconds)),
        created_at: at(seconds),
        kind: kind.into(),
        project_id: None,
        principal: None,
        user_id: None,
        payload: "{}".into(),
    }
}

/// Returns a log entry of an organization without optional fields.
pub fn log(org_id: Uuid, seconds: i64) -> LogEntry {
    LogEntry {
        org_id,
        id: new_id(at(seconds)),
        created_at: at(seconds),
        endpoint: "analyze".into(),
        direction: "input".into(),
        project_id: None,
        project_name: None,
        policy_id: None,
        policy_version: None,
        decision: "allow".into(),
        shadow_decision: None,
        outcome: "judged".into(),
        triggered_guardrails: "[]".into(),
        confidence: 0.25,
        safety_score: 99,
        risk_level: "no_risk".into(),
        reason: None,
        source_app: None,
        context: None,
        device_id: None,
        username: None,
        principal: "ann".into(),
        user_id: Some(ANN),
        conversation_id: None,
        text: None,
        lang_code: None,
        processing_time_ms: 1,
        credits: 1,
        correlation_id: "c".into(),
        model_version: "1".into(),
        feedback: None,
        surface: "native".into(),
        foreign_id: None,
        prompt_tokens: None,
        completion_tokens: None,
        upstream_time_ms: None,
    }
}
