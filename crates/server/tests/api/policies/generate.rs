//! Drafts of policies: `POST /api/policy/generate`.

use guardengine_test_support::{
    fake_server::FakeServer,
    language_model::{self, PROVIDERS, completion, questions},
};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Response, TestService};

const GENERATE: &str = "/api/policy/generate";
const KIND: &str = "openai_compatible";
const SUPPORTED: &str = "openai, anthropic, azure_openai, gemini, openai_compatible";

fn draft() -> Value {
    json!({
        "policyName": "bank chat", "policyDescription": "", "policyMode": "unified",
        "guardrails": [{
            "guardrail": "pii", "description": "", "threshold": 0.6, "action": "Block", "pii_masking_enabled": true,
            "pii_masking_strategy": "partial", "terms": [], "patterns": [],
        }],
        "max_prompt_length": 4000, "allowed_keywords": [], "blocked_keywords": ["aurora"],
    })
}

async fn generated(service: &TestService, token: &str, draft_request: &Value) -> Response {
    service.post_json(token, GENERATE, draft_request).await
}

fn draft_request() -> Value {
    json!({ "description": "a chat for bank customers" })
}

async fn policies(service: &TestService, token: &str) -> Value {
    service.get(token, "/api/policy/list").await.body["total"].clone()
}

#[tokio::test]
async fn every_type_of_ai_connector_drafts_a_policy_that_can_be_created() {
    for kind in PROVIDERS {
        let model = language_model::start(kind, move |_| (200, completion(kind, &draft().to_string()))).await;
        let service = TestService::with_fake_servers(&[]).await;
        let token = service.owner().await;
        let id = service.connector(&token, kind, &model.url, &json!({})).await;
        let credits = service.get(&token, "/api/credits").await.body["balance"].clone();
        let draft_request = json!({ "description": "a chat for bank customers", "connector_id": id });
        let answer = generated(&service, &token, &draft_request).await;
        assert_eq!(answer.status, 200, "{kind}: {}", answer.body);
        let policy = &answer.body["policy"];
        assert_eq!(
            (&policy["policyName"], &policy["guardrails"][0]["threshold"]),
            (&json!("bank chat"), &json!(0.6))
        );
        assert_eq!(policies(&service, &token).await, 0, "nothing is stored");
        assert_eq!(service.get(&token, "/api/credits").await.body["balance"], credits, "nothing is charged");
        assert_eq!(questions(&model)[0].data()["description"], "a chat for bank customers");
        assert_eq!(service.post_json(&token, "/api/policy/create", policy).await.status, 200);
        let audit = service.get(&token, "/api/audit?limit=5").await.body.to_string();
        assert!(audit.contains("FIREWALL_POLICIES:GENERATE_POLICY") && audit.contains(&id), "{audit}");
    }
}

/// Starts a model that responds to each question with the next answer.
async fn answering(service: &TestService, token: &str, answers: Vec<String>) -> FakeServer {
    let next = std::sync::Mutex::new(answers.into_iter());
    let model = language_model::start(KIND, move |_| {
        let answer = next.lock().unwrap().next().expect("no more questions than answers");
        (200, completion(KIND, &answer))
    })
    .await;
    service.connector(token, KIND, &model.url, &json!({})).await;
    model
}

#[tokio::test]
async fn a_refused_draft_is_sent_back_once_with_the_error() {
    let service = TestService::with_fake_servers(&[]).await;
    let token = service.owner().await;
    let mut wrong = draft();
    wrong["guardrails"][0]["guardrail"] = json!("firewall");
    let model = answering(&service, &token, vec![wrong.to_string(), draft().to_string()]).await;
    assert_eq!(generated(&service, &token, &draft_request()).await.status, 200);
    let again = questions(&model)[1].data();
    assert_eq!(again["refused"]["draft"], wrong.to_string());
    let error = again["refused"]["error"].as_str().unwrap();
    assert!(error.starts_with("guardrails.0.guardrail: must be one of "), "{error}");
}

#[tokio::test]
async fn a_model_that_drafts_no_valid_policy_is_503() {
    let mut ticket = draft();
    ticket["guardrails"][0]["ticket"] = json!({ "connector_id": uuid::Uuid::max() });
    for drafts in [
        vec!["allow".to_owned(), "{}".to_owned()],
        vec![ticket.to_string(), ticket.to_string()],
        vec!["[]".to_owned(), json!({ "policy": draft() }).to_string()],
    ] {
        let service = TestService::with_fake_servers(&[]).await;
        let token = service.owner().await;
        let model = answering(&service, &token, drafts).await;
        let detail = "the language model drafted no policy that is accepted, try again";
        generated(&service, &token, &draft_request()).await.refuses(503, detail);
        assert_eq!((questions(&model).len(), policies(&service, &token).await), (2, json!(0)));
    }
}

#[tokio::test]
async fn a_model_that_does_not_answer_is_503() {
    let service = TestService::with_fake_servers(&[("llm.draft_timeout", "500ms")]).await;
    let token = service.owner().await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    service.connector(&token, KIND, &url, &json!({})).await;
    generated(&service, &token, &draft_request()).await.refuses(503, "policy generation is unavailable");
}

#[tokio::test]
async fn refusals_come_in_the_documented_order() {
    let service = TestService::with_fake_servers(&[]).await;
    let token = service.owner().await;
    assert_snapshot!(generated(&service, &token, &draft_request()).await.snapshot(), @r#"
    HTTP 400
    {
      "detail": "no active AI connector for the organisation"
    }
    "#);
    generated(&service, &token, &json!({})).await.refuses(422, "field required: description");
    let long = json!({ "description": "x".repeat(4_001) });
    generated(&service, &token, &long).await.refuses(422, "description: must have 1 to 4000 characters");
    let no_id = json!({ "description": "a", "connector_id": "7" });
    generated(&service, &token, &no_id).await.refuses(422, "invalid UUID format: connector_id");
    let with = |id: &str| json!({ "description": "a", "connector_id": id });
    generated(&service, &token, &with(&uuid::Uuid::max().to_string()))
        .await
        .refuses(404, "connector not found");

    let model = language_model::start(KIND, |_| (200, completion(KIND, &draft().to_string()))).await;
    let id = service.connector(&token, KIND, &model.url, &json!({ "enabled": false })).await;
    generated(&service, &token, &with(&id)).await.refuses(403, "connector not active");
    generated(&service, &service.stranger().await, &with(&id)).await.refuses(404, "connector not found");
    let webhook = json!({ "name": "w", "url": "http://127.0.0.1:9/", "secret": "s3cret-of-the-hook", "enabled": false });
    let webhook = service.post_json(&token, "/api/connectors/webhook", &webhook).await.text("id");
    let expected =
        format!("AI generation is not supported for connector type webhook; supported: {SUPPORTED}");
    generated(&service, &token, &with(&webhook)).await.refuses(400, &expected);
    let viewer = service.member("eve", "viewer").await;
    let expected = "missing required permission: FIREWALL_POLICIES:CREATE_POLICY";
    generated(&service, &viewer, &with(&id)).await.refuses(403, expected);
    assert_eq!(questions(&model).len(), 0);
}

#[tokio::test]
async fn private_values_of_a_description_are_masked() {
    for is_internal in [false, true] {
        let model = language_model::start(KIND, |_| (200, completion(KIND, &draft().to_string()))).await;
        let service = TestService::with_fake_servers(&[]).await;
        let token = service.owner().await;
        let more = json!({ "internal": is_internal });
        service.connector(&token, KIND, &model.url, &more).await;
        let draft_request = json!({ "description": "nothing about jane.doe@example.com" });
        assert_eq!(generated(&service, &token, &draft_request).await.status, 200);
        assert_eq!(questions(&model)[0].request.body.contains("jane.doe"), is_internal);
    }
}
