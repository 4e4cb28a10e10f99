//! OpenAI's moderations and decisions. The requests are those of its Python client 3.57.

use serde_json::{Value, json};

use super::{Guarded, ORDER, key};
use crate::support::send;

const MODERATIONS: &str = "/v1/moderations";
const DECISIONS: &str = "/v1/decisions";
const CATEGORIES: [&str; 13] = [
    "harassment",
    "harassment/threatening",
    "hate",
    "hate/threatening",
    "illicit",
    "illicit/violent",
    "self-harm",
    "self-harm/instructions",
    "self-harm/intent",
    "sexual",
    "sexual/minors",
    "violence",
    "violence/graphic",
];
const INSULT: &str = "You are a worthless idiot and everybody hates you, shut up.";

async fn results(guarded: &Guarded, path: &str, input: Value) -> Vec<Value> {
    let answer = guarded.post_at(path, &json!({ "model": "omni-moderation-latest", "input": input })).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(answer.text("id").starts_with("modr-"));
    answer.body["results"].as_array().unwrap().clone()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn a_result_has_exactly_the_categories_of_openai() {
    let guarded = Guarded::start().await;
    let results = results(&guarded, MODERATIONS, json!(INSULT)).await;
    assert_eq!(results.len(), 1);
    for field in ["categories", "category_scores", "category_applied_input_types"] {
        assert_eq!(keys(&results[0][field]), CATEGORIES, "{field}");
    }
    assert_eq!(results[0]["flagged"], true);
    assert_eq!(results[0]["categories"]["harassment"], true, "{}", results[0]);
    assert_eq!(results[0]["categories"]["sexual/minors"], false);
    assert_eq!(results[0]["category_applied_input_types"]["harassment"], json!(["text"]));
    assert_eq!(results[0]["category_applied_input_types"]["sexual/minors"], json!([]));
}

#[tokio::test]
async fn a_list_has_one_result_for_each_text_and_one_charge() {
    let guarded = Guarded::start().await;
    let inputs = json!(["What is a lamp?", INSULT, "Write to jane@example.com"]);
    let found = results(&guarded, MODERATIONS, inputs).await;
    let flagged: Vec<_> = found.iter().map(|result| result["flagged"].as_bool().unwrap()).collect();
    // The default policy blocks personal data.
    assert_eq!(flagged, [false, true, true]);
    assert_eq!(guarded.service.charges(&guarded.token).await, 1);
    let logs = guarded.logs("").await;
    assert_eq!((logs.len(), &logs[0]["surface"]), (1, &json!("openai_moderations")));
}

#[tokio::test]
async fn what_the_policy_masks_is_flagged() {
    let guarded = Guarded::start().await;
    let below = format!("/p/{}{MODERATIONS}", guarded.project);
    let found = results(&guarded, &below, json!("Write to jane@example.com")).await;
    assert_eq!((&found[0]["flagged"], &found[0]["guardengine"]["action"]), (&json!(true), &json!("mask")));
    // The project has no such guardrail.
    assert_eq!(found[0]["category_applied_input_types"]["harassment"], json!([]));
}

#[tokio::test]
async fn parts_are_one_message() {
    let guarded = Guarded::start().await;
    let below = format!("/p/{}{MODERATIONS}", guarded.project);
    let parts = json!([{ "type": "text", "text": "What is this?" }, { "type": "text", "text": "the plan of Aurora" }]);
    let found = results(&guarded, &below, parts).await;
    assert_eq!((found.len(), &found[0]["flagged"]), (1, &json!(true)));
    let image = json!([{ "type": "text", "text": "a lamp" },
        { "type": "image_url", "image_url": { "url": "https://host.example/a.png" } }]);
    let found = results(&guarded, &below, image).await;
    assert_eq!(found[0]["guardengine"]["triggered_guardrails"][0]["name"], "incomplete_coverage");
}

#[tokio::test]
async fn errors_have_openais_form() {
    let guarded = Guarded::with(&[("limits.analyze", "3/60s")]).await;
    let error = async |body: Value| {
        let answer = guarded.post_at(MODERATIONS, &body).await;
        let error = &answer.body["error"];
        (answer.status, error["message"].as_str().unwrap().to_owned(), error["code"].clone())
    };
    assert_eq!(error(json!({})).await, (400, "field required: input".to_owned(), Value::Null));
    assert_eq!(error(json!({ "input": [] })).await.0, 400);
    assert_eq!(error(json!({ "input": ["a", 7] })).await.1, "input.1: must be a string");
    let (status, message, code) = error(json!({ "input": "a" })).await;
    assert_eq!((status, code), (429, json!("rate_limit_exceeded")));
    assert!(message.starts_with("Rate limit exceeded for /v1/moderations"), "{message}");
    let stranger = send(guarded.service.post(MODERATIONS).bearer_auth("ge_x").json(&json!({}))).await;
    assert_eq!((stranger.status, &stranger.body["error"]["code"]), (401, &json!("invalid_api_key")));
    let validates = key(&guarded.service, &guarded.token, "&permissions=FIREWALL:VALIDATE").await;
    let refused = send(guarded.service.post(DECISIONS).bearer_auth(validates).json(&json!({}))).await;
    let message = "missing required permission: FIREWALL:ANALYZE";
    assert_eq!((refused.status, &refused.body["error"]["message"]), (403, &json!(message)));
}

fn predicate(name: &str) -> Value {
    json!({ "type": "predicate", "name": name, "instructions": "Is it so?" })
}

#[tokio::test]
async fn predicates_that_are_named_after_guardrails_are_answered() {
    let guarded = Guarded::start().await;
    let questions = json!([predicate("prompt_injection"), predicate("policy"), predicate("is_polite"),
        { "type": "choice", "name": "policy", "instructions": "?", "choices": [{ "value": "a" }, { "value": "b" }] }]);
    let body = json!({ "model": "gpt-6-luna", "input": ORDER, "questions": questions });
    let answer = guarded.post(DECISIONS, &body).await;
    let answers = answer.body["answers"].as_array().unwrap();
    assert!(answers[0]["probability"].as_f64().unwrap() > 0.5, "{}", answer.body);
    assert_eq!(answers[1], json!({ "type": "predicate", "name": "policy", "probability": 1.0 }));
    assert_eq!(answers[2], json!({ "type": "refusal", "name": "is_polite" }));
    assert_eq!(answers[3], json!({ "type": "refusal", "name": "policy" }));
    let harmless = json!({ "input": "What is a lamp?", "questions": [predicate("policy")] });
    let answer = guarded.post(DECISIONS, &harmless).await;
    assert!(answer.body["answers"][0]["probability"].as_f64().unwrap() < 0.3, "{}", answer.body);
}

#[tokio::test]
async fn decisions_read_messages_and_results_of_tools() {
    let guarded = Guarded::start().await;
    let input = json!([
        { "role": "user", "content": [{ "type": "input_text", "text": "What is a lamp?" }] },
        { "type": "function_call", "call_id": "c", "name": "find", "arguments": "{}" },
        { "type": "function_call_output", "call_id": "c", "output": ORDER },
    ]);
    let answer =
        guarded.post(DECISIONS, &json!({ "input": input, "questions": [predicate("policy")] })).await;
    assert_eq!(answer.body["answers"][0]["probability"], 1.0, "{}", answer.body);
    let refused = guarded.post(DECISIONS, &json!({ "input": "a", "questions": [{ "type": "vote" }] })).await;
    let message = "questions.0.type: must be one of predicate, choice, score";
    assert_eq!((refused.status, &refused.body["error"]["message"]), (400, &json!(message)));
}
