//! Names in several spellings, and databases with keys of the rule before.

use std::env;

use guardengine_store::{
    AuditFilter, Connector, ConnectorFields, Created, Db, NewProject, NewUser, PolicyFields, RENAME_ACTION,
    new_id,
};
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use uuid::Uuid;

use crate::fixtures::{at, change, done, on_both, open, org, own_schema, policy, user};

const DECOMPOSED: &str = "Zoe\u{301}";
const COMPOSED: &str = "zo\u{e9}";

#[tokio::test]
async fn a_name_is_taken_and_found_in_every_spelling() {
    on_both(async |db| {
        let acme = org(&db, "Acme", 1).await;
        let ann = user(&db, &acme, DECOMPOSED).await;
        let first = policy(&db, &acme, DECOMPOSED).await;
        let new = NewUser { username: COMPOSED, password_hash: "", org_id: acme.id, role: "viewer" };
        assert_eq!(change!(db.create_user(new, at(1))).await.unwrap(), Created::NameTaken);
        let text = PolicyFields { name: COMPOSED, content: "{}", by: "ann", connectors: &[] };
        assert_eq!(change!(db.create_policy(acme.id, text, at(1))).await.unwrap(), Created::NameTaken);
        assert_eq!(db.user_by_name(COMPOSED).await.unwrap().map(|user| user.id), Some(ann.id));
        assert_eq!(first.name, DECOMPOSED);
    })
    .await;
}

/// Creates an older and a later row of every named table, with names that are equal by today's rule, and gives them the
/// keys of the rule before.
async fn fill(db: &Db) -> Uuid {
    let org_id = org(db, "Acme", 1).await.id;
    org(db, DECOMPOSED, 1).await;
    for (second, name) in [(1, DECOMPOSED), (2, "later")] {
        let new = NewUser { username: name, password_hash: "", org_id, role: "viewer" };
        let creator = done(change!(db.create_user(new, at(second))).await.unwrap()).id;
        let role = done(change!(db.create_role(org_id, name, "[]", at(second))).await.unwrap());
        let content = format!(r#"{{"policyName":"{name}"}}"#);
        let text = PolicyFields { name, content: &content, by: "ann", connectors: &[] };
        let policy_id = done(change!(db.create_policy(org_id, text, at(second))).await.unwrap()).id;
        let project = NewProject {
            org_id,
            name,
            policy_id,
            shadow_policy_id: None,
            log_content: "masked",
            on_store_failure: "refuse",
            gateway: None,
            creator,
        };
        done(change!(db.create_project(project, at(second))).await.unwrap());
        let fields =
            ConnectorFields { name, enabled: true, settings: "{}", secrets: "{}", check_at: at(second) };
        let connector = Connector::new(new_id(at(second)), org_id, "openai", fields, at(second));
        done(change!(db.create_connector(connector)).await.unwrap());
        change!(db.set_role_of_member(org_id, creator, &role.name)).await.unwrap();
    }
    org_id
}

/// Statements that write names and keys as the rule before did, with rows `later` under the composed name.
fn of_before() -> Vec<String> {
    let mut statements = Vec::new();
    for (table, name, key) in [
        ("users", "username", "username_key"),
        ("orgs", "name", "name_key"),
        ("roles", "name", "name_key"),
        ("policies", "name", "name_key"),
        ("projects", "name", "name_key"),
        ("connectors", "name", "name_key"),
    ] {
        let old = DECOMPOSED.to_lowercase();
        statements.push(format!("UPDATE {table} SET {key} = '{old}' WHERE {name} = '{DECOMPOSED}'"));
        statements.push(format!(
            "UPDATE {table} SET {name} = '{COMPOSED}', {key} = '{COMPOSED}' WHERE {name} = 'later'"
        ));
    }
    statements.push(format!("UPDATE memberships SET role = '{COMPOSED}' WHERE role = 'later'"));
    statements
}

async fn check(url: &str, org_id: Uuid) {
    let db = open(url).await;
    db.update_name_keys().await.unwrap();
    let renamed = "zo\u{e9}-2";
    let older = db.user_by_name(COMPOSED).await.unwrap().unwrap();
    let later = db.user_by_name(renamed).await.unwrap().unwrap();
    assert_eq!((&*older.username, &*later.username), (DECOMPOSED, renamed));
    assert_eq!(db.role_of_member(org_id, older.id).await.unwrap().as_deref(), Some(DECOMPOSED));
    assert_eq!(db.role_of_member(org_id, later.id).await.unwrap().as_deref(), Some(renamed));
    let names = |mut names: Vec<String>| {
        names.sort();
        names
    };
    let both = [DECOMPOSED.to_owned(), renamed.to_owned()];
    let policies = db.policies(org_id).await.unwrap();
    let of_later = policies.iter().find(|policy| policy.name == renamed).unwrap();
    assert_eq!((of_later.version, &of_later.content), (2, &format!(r#"{{"policyName":"{renamed}"}}"#)));
    assert_eq!(names(policies.into_iter().map(|policy| policy.name).collect()), both);
    let connectors = db.connectors(org_id).await.unwrap();
    assert_eq!(names(connectors.into_iter().map(|connector| connector.name).collect()), both);
    assert_eq!(db.org_by_name(COMPOSED).await.unwrap().unwrap().name, DECOMPOSED);
    let filter = AuditFilter { action: Some(RENAME_ACTION.into()), ..AuditFilter::default() };
    assert_eq!(db.audit_entries(org_id, &filter, None, 9).await.unwrap().len(), 4);
    let users = db.audit_entries(Uuid::nil(), &filter, None, 9).await.unwrap();
    assert_eq!(
        (users.len(), &*users[0].principal, &*users[0].target),
        (1, "upgrade", &*later.id.to_string())
    );
    assert_eq!(
        users[0].details,
        format!(r#"{{"name":{{"from":"{COMPOSED}","to":"{renamed}"}},"type":"user"}}"#)
    );
    db.close().await;
    let again = open(url).await;
    again.update_name_keys().await.unwrap();
    assert_eq!(again.audit_entries(Uuid::nil(), &filter, None, 9).await.unwrap().len(), 1);
    again.close().await;
}

/// Fills a database, gives it the names of before, and checks what opening it makes of them.
macro_rules! opens_with_names_of_before {
    ($connection:ty, $url:expr) => {{
        let db = open($url).await;
        let org_id = fill(&db).await;
        db.close().await;
        let mut connection = <$connection>::connect($url).await.unwrap();
        for statement in of_before() {
            sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
        }
        connection.close().await.unwrap();
        check($url, org_id).await;
    }};
}

#[tokio::test]
async fn the_older_of_two_names_that_become_equal_keeps_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("old.db").display());
    opens_with_names_of_before!(SqliteConnection, &url);
    if let Ok(url) = env::var("GUARDENGINE_TEST_POSTGRES") {
        let url = own_schema(&url).await;
        opens_with_names_of_before!(PgConnection, &url);
    }
}
