use guardengine_store::AuditFilter;
use insta::assert_snapshot;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::support::{Response, TestService};

const SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

fn cloud(name: &str) -> Value {
    json!({
        "name": name,
        "cloudprovider_access_key_id": "AKIDEXAMPLE",
        "cloudprovider_secret_access_key": SECRET,
        "cloudprovider_region": "us-east-1",
        "cloudprovider_account_id": "123456789012",
    })
}

fn webhook(name: &str) -> Value {
    json!({ "name": name, "url": "https://example.com/hook", "secret": "s3cret-of-the-hook" })
}

async fn made(service: &TestService, token: &str, kind: &str, body: &Value) -> String {
    service.post_json(token, &format!("/api/connectors/{kind}"), body).await.text("id")
}

#[tokio::test]
async fn a_cloud_account_is_created_listed_and_read() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let made = service.post_json(&token, "/api/connectors/cloudprovider_cloud", &cloud(" aws ")).await;
    assert_snapshot!(made.snapshot(), @r#"
    HTTP 200
    {
      "cloudprovider_account_id": "123456789012",
      "cloudprovider_region": "us-east-1",
      "connector_type": "cloudprovider_cloud",
      "created_at": "[time]",
      "enabled": true,
      "id": "[id]",
      "last_checked_at": null,
      "last_error": null,
      "model": "123456789012",
      "name": "aws",
      "secrets_set": [
        "cloudprovider_access_key_id",
        "cloudprovider_secret_access_key"
      ],
      "status": "active",
      "updated_at": "[time]"
    }
    "#);
    let mut listed = service.get(&token, "/api/connectors/list").await;
    // The first check may have ended meanwhile.
    listed.body["connectors"][0]["status"] = made.body["status"].clone();
    listed.body["isCloudproviderConnected"] = json!(true);
    assert_snapshot!(listed.snapshot(), @r#"
    HTTP 200
    {
      "cloudprovider_accounts": 1,
      "connectors": [
        {
          "connector_type": "cloudprovider_cloud",
          "enabled": true,
          "id": "[id]",
          "name": "aws",
          "status": "active"
        }
      ],
      "isCloudproviderConnected": true,
      "total": 1
    }
    "#);
    let mut read = service.get(&token, &format!("/api/connectors/{}", made.text("id"))).await;
    for field in ["status", "last_checked_at", "last_error"] {
        read.body[field] = made.body[field].clone();
    }
    assert_eq!((read.status, read.body), (200, made.body));
}

#[tokio::test]
async fn a_cloud_is_connected_while_one_of_its_accounts_is_active() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let list = async || service.get(&token, "/api/connectors/list").await.body;
    assert_eq!(list().await["isCloudproviderConnected"], false);
    made(&service, &token, "webhook", &webhook("hook")).await;
    let mut off = cloud("aws");
    off["enabled"] = json!(false);
    let id = made(&service, &token, "cloudprovider_cloud", &off).await;
    let listed = list().await;
    assert_eq!((&listed["total"], &listed["cloudprovider_accounts"]), (&json!(2), &json!(1)));
    assert_eq!(
        (&listed["isCloudproviderConnected"], &listed["connectors"][0]["status"]),
        (&json!(false), &json!("disabled"))
    );
    service.put_json(&token, &format!("/api/connectors/{id}"), &json!({ "enabled": true })).await;
    assert_eq!(list().await["isCloudproviderConnected"], true);
}

#[tokio::test]
async fn every_connector_type_can_be_created_from_its_description() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let types = service.get(&token, "/api/connectors/types").await.body;
    let types = types["types"].as_array().unwrap();
    assert_eq!(types.len(), 14);
    for kind in types {
        let name = kind["connector_type"].as_str().unwrap();
        let mut body = Map::from_iter([("name".to_owned(), json!(name))]);
        for field in kind["fields"].as_array().unwrap() {
            if field["required"] == true || field["required_without"].is_string() {
                body.insert(field["name"].as_str().unwrap().to_owned(), example(field));
            }
        }
        let made = service.post_json(&token, &format!("/api/connectors/{name}"), &json!(body)).await;
        assert_eq!((made.status, made.text("connector_type").as_str()), (200, name), "{}", made.body);
        assert!(!made.body.to_string().contains("s3cret"), "{}", made.body);
    }
}

fn example(field: &Value) -> Value {
    json!(match field["format"].as_str().unwrap() {
        "url" | "base_url" => "https://example.com/a",
        "email" => "a@example.com",
        "key" | "password" => "s3cret-of-the-hook",
        "port" => "587",
        _ => "x",
    })
}

#[tokio::test]
async fn the_first_error_is_reported() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let post = async |kind: &str, body: Value| {
        service.post_json(&token, &format!("/api/connectors/{kind}"), &body).await
    };
    post("jira", json!({})).await.refuses(422, "field required: name");
    post("jira", json!({ "name": "a" })).await.refuses(422, "field required: base_url");
    post("openai", json!({ "name": "a", "api_key": "k" })).await.refuses(422, "field required: model");
    post("openai", json!([])).await.refuses(422, "body: must be an object");
    post("pager", json!({ "name": "a" })).await.refuses(404, "connector type not found");
    let fields = [
        "cloudprovider_access_key_id",
        "cloudprovider_secret_access_key",
        "cloudprovider_region",
        "cloudprovider_account_id",
    ];
    for field in fields {
        let mut body = cloud("aws");
        body.as_object_mut().unwrap().remove(field);
        post("cloudprovider_cloud", body).await.refuses(422, &format!("field required: {field}"));
    }
}

#[tokio::test]
async fn names_are_unique_within_an_organization() {
    let service = TestService::start().await;
    let (token, stranger) = (service.owner().await, service.stranger().await);
    made(&service, &token, "webhook", &webhook("Hook")).await;
    let taken = "a connector with that name already exists";
    service.post_json(&token, "/api/connectors/jira", &json!({
        "name": " HOOK ", "base_url": "https://x.example", "email": "a@b", "api_token": "t", "project_key": "P",
    })).await.refuses(409, taken);
    let other = made(&service, &token, "webhook", &webhook("other")).await;
    service
        .put_json(&token, &format!("/api/connectors/{other}"), &json!({ "name": "hook" }))
        .await
        .refuses(409, taken);
    made(&service, &stranger, "webhook", &webhook("Hook")).await;
}

#[tokio::test]
async fn blocked_networks_are_refused() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let to = async |url: &str| {
        let mut body = webhook("hook");
        body["url"] = json!(url);
        service.post_json(&token, "/api/connectors/webhook", &body).await
    };
    let leads = |network: &str| format!("url: the address leads to {network}, which is not allowed");
    to("https://10.0.0.1/").await.refuses(422, &leads("a private network"));
    to("https://[::ffff:169.254.169.254]/").await.refuses(422, &leads("a machine's own metadata"));
    to("https://me:pass@example.com/")
        .await
        .refuses(422, "url: the address must not hold a user name or a password");
    to("file:///etc/passwd").await.refuses(422, "url: the address must begin with https://");
    assert_eq!(to("http://example.com/").await.status, 422);
}

#[tokio::test]
async fn a_host_name_of_this_machine_is_refused_at_the_call() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let mut body = webhook("hook");
    body["url"] = json!("https://localhost:1/");
    let id = made(&service, &token, "webhook", &body).await;
    let tested = service.post_json(&token, &format!("/api/connectors/{id}/test"), &json!({})).await;
    assert_eq!((tested.status, &tested.body["ok"]), (200, &json!(false)));
    let reported = "not sent: the address leads to this machine itself, which is not allowed";
    assert_eq!(tested.text("error"), reported);
}

#[tokio::test]
async fn secrets_are_neither_returned_nor_stored_in_clear() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let id = made(&service, &token, "cloudprovider_cloud", &cloud("aws")).await;
    let path = format!("/api/connectors/{id}");
    let answers: Vec<Response> = vec![
        service.get(&token, &path).await,
        service.get(&token, "/api/connectors/list").await,
        service.put_json(&token, &path, &json!({ "cloudprovider_region": "eu-west-1" })).await,
        service.get(&token, "/api/audit").await,
    ];
    for answer in answers {
        assert_eq!(answer.status, 200);
        let reported = answer.body.to_string();
        assert!(!reported.contains(SECRET) && !reported.contains("AKIDEXAMPLE"), "{reported}");
    }
    let org = service.org_id().await;
    let stored = service.db.connector(org, id.parse().unwrap()).await.unwrap().unwrap();
    assert!(!stored.secrets.contains(SECRET) && !stored.settings.contains("AKIDEXAMPLE"));
}

#[tokio::test]
async fn strangers_cannot_access_a_connector() {
    let service = TestService::start().await;
    let id = made(&service, &service.owner().await, "webhook", &webhook("hook")).await;
    let (path, stranger) = (format!("/api/connectors/{id}"), service.stranger().await);
    let gone = "connector not found";
    service.get(&stranger, &path).await.refuses(404, gone);
    service.put_json(&stranger, &path, &json!({})).await.refuses(404, gone);
    service.delete(&stranger, &path).await.refuses(404, gone);
    service.post_json(&stranger, &format!("{path}/test"), &json!({})).await.refuses(404, gone);
    service.get(&stranger, "/api/connectors/7").await.refuses(422, "invalid UUID format: id");
    assert_eq!(service.get(&stranger, "/api/connectors/list").await.body["total"], 0);
}

fn strict(connector: &str) -> Value {
    json!({ "policyName": "strict", "guardrails": [{ "guardrail": "spam" }, { "guardrail": "pii", "ticket": { "connector_id": connector } }] })
}

#[tokio::test]
async fn a_connector_in_use_by_a_policy_cannot_be_deleted() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let id = made(&service, &token, "webhook", &webhook("hook")).await;
    let policy = format!("/api/policy/{}", service.policy(&token, &strict(&id)).await);
    let path = format!("/api/connectors/{id}");
    assert_snapshot!(service.delete(&token, &path).await.snapshot(), @r#"
    HTTP 409
    {
      "detail": "connector in use by policies: strict"
    }
    "#);
    assert_eq!(service.put_json(&token, &policy, &json!({ "guardrails": [] })).await.status, 200);
    assert_eq!(service.delete(&token, &path).await.text("message"), "connector deleted");
    service.delete(&token, &path).await.refuses(404, "connector not found");
}

#[tokio::test]
async fn a_ticket_needs_a_ticket_connector_of_the_organization() {
    let service = TestService::start().await;
    let (token, stranger) = (service.owner().await, service.stranger().await);
    let detail = "guardrails.1.ticket.connector_id: must be a ticket connector of the organisation";
    let theirs = made(&service, &stranger, "webhook", &webhook("hook")).await;
    let other = made(&service, &token, "cloudprovider_cloud", &cloud("aws")).await;
    let path = format!("/api/policy/{}", service.policy(&token, &json!({ "policyName": "mine" })).await);
    for id in [theirs, other, Uuid::max().to_string()] {
        service.post_json(&token, "/api/policy/create", &strict(&id)).await.refuses(422, detail);
        service.put_json(&token, &path, &strict(&id)).await.refuses(422, detail);
    }
    assert_eq!(service.get(&token, "/api/policy/list").await.body["total"], 1);
}

#[tokio::test]
async fn changes_of_connectors_are_in_the_audit_trail() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let id = made(&service, &token, "webhook", &webhook("hook")).await;
    let path = format!("/api/connectors/{id}");
    let change =
        json!({ "url": "https://example.org/hook", "secret": "another-s3cret-of-it", "enabled": false });
    service.put_json(&token, &path, &change).await;
    service.delete(&token, &path).await;
    let org = service.org_id().await;
    let entries = service.db.audit_entries(org, &AuditFilter::default(), None, 3).await.unwrap();
    let reported: Vec<(&str, Value)> = entries
        .iter()
        .map(|entry| (entry.action.as_str(), serde_json::from_str(&entry.details).unwrap()))
        .collect();
    let named = json!({ "name": "hook", "connector_type": "webhook" });
    assert_eq!(reported[0], ("CONNECTORS:DELETE_CONNECTOR", named.clone()));
    assert_eq!(reported[1].0, "CONNECTORS:UPDATE_CONNECTOR");
    assert_eq!(
        reported[1].1["url"],
        json!({ "from": "https://example.com/hook", "to": "https://example.org/hook" })
    );
    assert_eq!(reported[1].1["secrets_written"], json!(["secret"]));
    assert_eq!(reported[2], ("CONNECTORS:CREATE_CONNECTOR", named));
}
