use guardengine_store::AuditFilter;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::service::{Answer, Running};

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
    json!({ "name": name, "url": "https://example.com/hook", "secret": "s3cret" })
}

async fn made(service: &Running, token: &str, kind: &str, body: &Value) -> String {
    service.post_json(token, &format!("/api/connectors/{kind}"), body).await.text("id")
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn a_cloud_account_is_made_listed_and_read() {
    let service = Running::start().await;
    let token = service.owner().await;
    let made = service.post_json(&token, "/api/connectors/cloudprovider_cloud", &cloud(" aws ")).await;
    assert_eq!(
        (made.status, made.text("name").as_str(), made.text("status").as_str()),
        (200, "aws", "active")
    );
    assert_eq!(made.text("connector_type"), "cloudprovider_cloud");
    assert_eq!((made.text("model").as_str(), &made.body["enabled"]), ("123456789012", &json!(true)));
    assert!(made.body["created_at"].is_string() && made.body["updated_at"].is_string());
    let secrets = json!(["cloudprovider_access_key_id", "cloudprovider_secret_access_key"]);
    assert_eq!(made.body["secrets_set"], secrets);

    let list = service.get(&token, "/api/connectors/list").await.body;
    assert_eq!(keys(&list), ["cloudprovider_accounts", "connectors", "isCloudproviderConnected", "total"]);
    assert_eq!((&list["total"], &list["cloudprovider_accounts"]), (&json!(1), &json!(1)));
    assert_eq!(keys(&list["connectors"][0]), ["connector_type", "enabled", "id", "name", "status"]);
    let read = service.get(&token, &format!("/api/connectors/{}", made.text("id"))).await;
    assert_eq!((read.status, &read.body["cloudprovider_region"]), (200, &json!("us-east-1")));
}

#[tokio::test]
async fn a_cloud_is_connected_while_one_of_its_accounts_is_active() {
    let service = Running::start().await;
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
async fn every_type_of_the_table_can_be_made_from_what_the_table_says() {
    let service = Running::start().await;
    let token = service.owner().await;
    let types = service.get(&token, "/api/connectors/types").await.body;
    let types = types["types"].as_array().unwrap();
    assert_eq!(types.len(), 11);
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
        "key" | "password" => "s3cret",
        _ => "x",
    })
}

#[tokio::test]
async fn the_first_fault_is_told() {
    let service = Running::start().await;
    let token = service.owner().await;
    let post = async |kind: &str, body: Value| {
        service.post_json(&token, &format!("/api/connectors/{kind}"), &body).await
    };
    post("jira", json!({})).await.refuses(422, "field required: name");
    post("jira", json!({ "name": "a" })).await.refuses(422, "field required: base_url");
    post("openai", json!({ "name": "a", "api_key": "k" })).await.refuses(422, "field required: model");
    post("openai", json!([])).await.refuses(422, "body: must be an object");
    post("slack", json!({ "name": "a" })).await.refuses(404, "connector type not found");
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
async fn names_are_unique_within_an_organisation() {
    let service = Running::start().await;
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
async fn addresses_out_of_reach_are_refused() {
    let service = Running::start().await;
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
async fn a_name_that_leads_to_this_machine_is_refused_when_it_is_asked() {
    let service = Running::start().await;
    let token = service.owner().await;
    let mut body = webhook("hook");
    body["url"] = json!("https://localhost:1/");
    let id = made(&service, &token, "webhook", &body).await;
    let tested = service.post_json(&token, &format!("/api/connectors/{id}/test"), &json!({})).await;
    assert_eq!((tested.status, &tested.body["ok"]), (200, &json!(false)));
    let told = "not sent: the address leads to this machine itself, which is not allowed";
    assert_eq!(tested.text("error"), told);
}

#[tokio::test]
async fn secrets_are_neither_answered_nor_kept_readable() {
    let service = Running::start().await;
    let token = service.owner().await;
    let id = made(&service, &token, "cloudprovider_cloud", &cloud("aws")).await;
    let path = format!("/api/connectors/{id}");
    let answers: Vec<Answer> = vec![
        service.get(&token, &path).await,
        service.get(&token, "/api/connectors/list").await,
        service.put_json(&token, &path, &json!({ "cloudprovider_region": "eu-west-1" })).await,
        service.get(&token, "/api/audit").await,
    ];
    for answer in answers {
        assert_eq!(answer.status, 200);
        let told = answer.body.to_string();
        assert!(!told.contains(SECRET) && !told.contains("AKIDEXAMPLE"), "{told}");
    }
    let org = service.app.tenants.db.org_named("default").await.unwrap().unwrap().id;
    let stored = service.app.tenants.db.connector(org, id.parse().unwrap()).await.unwrap().unwrap();
    assert!(!stored.secrets.contains(SECRET) && !stored.settings.contains("AKIDEXAMPLE"));
}

#[tokio::test]
async fn strangers_reach_nothing_of_a_connector() {
    let service = Running::start().await;
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
async fn a_connector_that_a_policy_names_is_not_deleted() {
    let service = Running::start().await;
    let token = service.owner().await;
    let id = made(&service, &token, "webhook", &webhook("hook")).await;
    let policy = format!("/api/policy/{}", service.policy(&token, &strict(&id)).await);
    let path = format!("/api/connectors/{id}");
    service.delete(&token, &path).await.refuses(409, "connector in use by policies: strict");
    assert_eq!(service.put_json(&token, &policy, &json!({ "guardrails": [] })).await.status, 200);
    assert_eq!(service.delete(&token, &path).await.text("message"), "connector deleted");
    service.delete(&token, &path).await.refuses(404, "connector not found");
}

#[tokio::test]
async fn a_ticket_needs_a_ticket_connector_of_the_organisation() {
    let service = Running::start().await;
    let (token, stranger) = (service.owner().await, service.stranger().await);
    let told = "guardrails.1.ticket.connector_id: must be a ticket connector of the organisation";
    let theirs = made(&service, &stranger, "webhook", &webhook("hook")).await;
    let other = made(&service, &token, "cloudprovider_cloud", &cloud("aws")).await;
    let path = format!("/api/policy/{}", service.policy(&token, &json!({ "policyName": "mine" })).await);
    for id in [theirs, other, Uuid::max().to_string()] {
        service.post_json(&token, "/api/policy/create", &strict(&id)).await.refuses(422, told);
        service.put_json(&token, &path, &strict(&id)).await.refuses(422, told);
    }
    assert_eq!(service.get(&token, "/api/policy/list").await.body["total"], 1);
}

#[tokio::test]
async fn what_is_done_to_connectors_stands_in_the_audit_trail() {
    let service = Running::start().await;
    let token = service.owner().await;
    let id = made(&service, &token, "webhook", &webhook("hook")).await;
    let path = format!("/api/connectors/{id}");
    let change = json!({ "url": "https://example.org/hook", "secret": "other", "enabled": false });
    service.put_json(&token, &path, &change).await;
    service.delete(&token, &path).await;
    let org = service.app.tenants.db.org_named("default").await.unwrap().unwrap().id;
    let entries = service.app.tenants.db.audit_entries(org, &AuditFilter::default(), None, 3).await.unwrap();
    let told: Vec<(&str, Value)> = entries
        .iter()
        .map(|entry| (entry.action.as_str(), serde_json::from_str(&entry.details).unwrap()))
        .collect();
    let named = json!({ "name": "hook", "connector_type": "webhook" });
    assert_eq!(told[0], ("CONNECTORS:DELETE_CONNECTOR", named.clone()));
    assert_eq!(told[1].0, "CONNECTORS:UPDATE_CONNECTOR");
    assert_eq!(
        told[1].1["url"],
        json!({ "from": "https://example.com/hook", "to": "https://example.org/hook" })
    );
    assert_eq!(told[1].1["secrets_written"], json!(["secret"]));
    assert_eq!(told[2], ("CONNECTORS:CREATE_CONNECTOR", named));
}
