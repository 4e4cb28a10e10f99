//! Names and passwords in several spellings, and names with characters that nobody sees.

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::Connection as _;

use crate::support::{PASSWORD, Response, TestService, send};

const DECOMPOSED: &str = "Zoe\u{301}";
const COMPOSED: &str = "Zo\u{e9}";
const INVISIBLE: &str = "must not contain control or invisible characters";

/// Creates one of everything that has a name, and returns the answers with the field of the name.
async fn create_all(service: &TestService, token: &str, name: &str) -> Vec<(&'static str, Response)> {
    let post = async |path: &str, body: Value| service.post_json(token, path, &body).await;
    let policy = service.policy(token, &json!({ "policyName": format!("for {:x?}", name.as_bytes()) })).await;
    let key = service.request(Method::POST, "/api-keys/create").query(&[("name", name)]).bearer_auth(token);
    vec![
        (
            "username",
            post("/api/users", json!({ "username": name, "password": PASSWORD, "role": "viewer" })).await,
        ),
        ("policyName", post("/api/policy/create", json!({ "policyName": name })).await),
        (
            "projectName",
            post("/api/project/create", json!({ "projectName": name, "policyId": policy })).await,
        ),
        ("name", post("/api/roles", json!({ "name": name, "permissions": [] })).await),
        ("name", send(key).await),
        (
            "name",
            post(
                "/api/connectors/webhook",
                json!({ "name": name, "url": "https://a.example", "secret": "sixteen-letters!" }),
            )
            .await,
        ),
    ]
}

#[tokio::test]
async fn a_name_typed_in_another_spelling_is_the_same_name() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    for (field, made) in create_all(&service, &owner, &format!("{DECOMPOSED}\u{a0}Smith")).await {
        assert_eq!(made.status, 200, "{field}: {}", made.body);
        let shown = made.body.get(field).and_then(Value::as_str);
        assert!(shown.is_none_or(|name| name == format!("{COMPOSED} Smith")), "{}", made.body);
    }
    for (index, (field, again)) in
        create_all(&service, &owner, &format!(" {COMPOSED} smith")).await.iter().enumerate()
    {
        // Keys may share a name.
        assert_eq!(again.status, if index == 4 { 200 } else { 409 }, "{field}: {}", again.body);
    }
    let signed_in = service.sign_in("ZOE\u{301} SMITH", PASSWORD).await;
    assert_eq!(signed_in.status, 200, "{}", signed_in.body);
}

#[tokio::test]
async fn control_and_invisible_characters_in_names_are_refused() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    for name in ["a\nb", "line\n", "a\u{200b}b", "a\u{202e}b", "a\u{7}b", "\u{feff}ab"] {
        for (field, refused) in create_all(&service, &owner, name).await {
            refused.refuses(422, &format!("{field}: {INVISIBLE}"));
        }
    }
    let error = service.admin(&["create-org", "--name", "a\u{200b}b"]).await.unwrap_err();
    assert!(error.contains(INVISIBLE), "{error}");
}

#[tokio::test]
async fn a_name_from_before_the_rule_stays_valid_until_it_is_changed() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let project = service.project(&owner, "old").await;
    let policy = service.policy(&owner, &json!({ "policyName": "old2" })).await;
    let path = service.data_dir().join("guardengine.db").display().to_string();
    let mut database = sqlx::SqliteConnection::connect(&path).await.unwrap();
    for statement in [
        "UPDATE projects SET name = 'a' || CHAR(8203), name_key = 'a' || CHAR(8203) WHERE name = 'old'",
        "UPDATE policies SET name = 'a' || CHAR(8203), name_key = 'a' || CHAR(8203),
         content = REPLACE(content, 'old2', 'a' || CHAR(8203)) WHERE name = 'old2'",
    ] {
        sqlx::query(statement).execute(&mut database).await.unwrap();
    }
    let put = async |path: &str, body: Value| service.put_json(&owner, path, &body).await;
    let (project, policy) = (format!("/api/project/{project}"), format!("/api/policy/{policy}"));
    let kept = put(&project, json!({ "projectName": "a\u{200b}", "log_content": "none" })).await;
    assert_eq!(kept.body["projectName"], "a\u{200b}", "{}", kept.body);
    let kept = put(&policy, json!({ "policyName": "a\u{200b}", "max_prompt_length": 5 })).await;
    assert_eq!((&kept.body["policyName"], &kept.body["max_prompt_length"]), (&json!("a\u{200b}"), &json!(5)));
    put(&project, json!({ "projectName": "b\u{200b}" }))
        .await
        .refuses(422, &format!("projectName: {INVISIBLE}"));
    put(&policy, json!({ "policyName": "b\u{200b}" }))
        .await
        .refuses(422, &format!("policyName: {INVISIBLE}"));
    assert_eq!(put(&policy, json!({ "policyName": " b " })).await.body["policyName"], "b");
}

#[tokio::test]
async fn a_password_matches_in_every_spelling() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let new = json!({ "username": "zoe", "password": format!("{DECOMPOSED}-horse-9"), "role": "viewer" });
    assert_eq!(service.post_json(&owner, "/api/users", &new).await.status, 200);
    for password in [format!("{COMPOSED}-horse-9"), format!("{DECOMPOSED}-horse-9")] {
        assert_eq!(service.sign_in("zoe", &password).await.status, 200, "{password}");
    }
    assert_eq!(service.sign_in("zoe", "Zoe-horse-9").await.status, 401);
}
