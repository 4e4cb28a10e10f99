//! LiteLLM's generic guardrail API. The requests are those of litellm 1.110.

use serde_json::{Value, json};

use super::{Guarded, ORDER, key};
use crate::support::{Response, send};

const PATH: &str = "/beta/litellm_basic_guardrail_api";

/// A request of the hook before a call of a chat model.
fn before(call_id: &str, messages: &Value) -> Value {
    let texts: Vec<_> = messages.as_array().unwrap().iter().map(|row| row["content"].clone()).collect();
    json!({
        "input_type": "request", "litellm_call_id": call_id, "litellm_trace_id": "trace-1", "litellm_version": "1.110.2",
        "model": "gpt-x", "texts": texts, "images": null, "structured_messages": messages, "tools": null,
        "tool_calls": null, "request_headers": { "user-agent": "OpenAI/Python", "authorization": "[present]" },
        "request_data": { "user_api_key_alias": "shop", "user_api_key_end_user_id": "ann", "user_api_key_hash": "88dc" },
        "additional_provider_specific_params": {},
    })
}

/// A request of the hook after a call.
fn after(call_id: &str, texts: &[&str]) -> Value {
    json!({ "input_type": "response", "litellm_call_id": call_id, "texts": texts, "model": "gpt-x",
        "request_data": {}, "structured_messages": null })
}

async fn asked(guarded: &Guarded, body: &Value) -> Value {
    let answer = guarded.post(PATH, body).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

#[tokio::test]
async fn a_harmless_request_passes_unchanged() {
    let guarded = Guarded::start().await;
    let messages =
        json!([{ "role": "system", "content": ORDER }, { "role": "user", "content": "What is a lamp?" }]);
    assert_eq!(asked(&guarded, &before("c1", &messages)).await, json!({ "action": "NONE" }));
}

#[tokio::test]
async fn an_order_is_blocked_whoever_brings_it() {
    let guarded = Guarded::start().await;
    let user = json!({ "role": "user", "content": "What is a lamp?" });
    for (at, messages) in [
        json!([{ "role": "user", "content": ORDER }]),
        // Careless clients keep blocked messages in their history.
        json!([{ "role": "user", "content": ORDER }, user]),
        json!([user, { "role": "tool", "content": ORDER, "tool_call_id": "t" }]),
    ]
    .iter()
    .enumerate()
    {
        let answer = asked(&guarded, &before(&format!("c{at}"), messages)).await;
        assert_eq!(answer["action"], "BLOCKED", "{messages}: {answer}");
        let reason = answer["blocked_reason"].as_str().unwrap();
        assert!(reason.contains("prompt_injection"), "{reason}");
    }
    let mut poisoned = before("c9", &json!([user]));
    poisoned["tools"] = json!([{ "function": { "name": "f", "description": ORDER, "parameters": {} } }]);
    assert_eq!(asked(&guarded, &poisoned).await["action"], "BLOCKED");
}

#[tokio::test]
async fn personal_data_is_masked_in_every_turn_and_call_the_same() {
    let guarded = Guarded::start().await;
    let mut messages = json!([
        { "role": "system", "content": "Be kind to jane@example.com" },
        { "role": "user", "content": "I am jane@example.com" },
    ]);
    let first = asked(&guarded, &before("c1", &messages)).await;
    let masked = json!(["Be kind to jane@example.com", "I am [EMAIL_REDACTED]"]);
    assert_eq!(first, json!({ "action": "GUARDRAIL_INTERVENED", "texts": masked }));
    let more =
        [json!({ "role": "assistant", "content": "Hello" }), json!({ "role": "user", "content": "Thanks" })];
    messages.as_array_mut().unwrap().extend(more);
    let second = asked(&guarded, &before("c2", &messages)).await;
    assert_eq!(second["texts"].as_array().unwrap()[..2], masked.as_array().unwrap()[..]);
    assert_eq!(second["texts"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn texts_without_messages_are_evaluated_one_by_one() {
    let guarded = Guarded::start().await;
    // Arguments of an MCP tool.
    let mut call = before("c1", &json!([]));
    call["texts"] = json!(["a lamp", "for jane@example.com"]);
    let answer = asked(&guarded, &call).await;
    assert_eq!(answer["texts"], json!(["a lamp", "for [EMAIL_REDACTED]"]));
    call["texts"] = json!(["a lamp", ORDER]);
    assert_eq!(asked(&guarded, &call).await["action"], "BLOCKED");
    let spans = &guarded.logs("decision=block").await[0]["triggered_guardrails"][0]["spans"];
    assert!(spans.as_array().unwrap().iter().all(|span| span["subject"] == 1), "{spans}");
}

#[tokio::test]
async fn a_tools_result_is_untrusted_where_the_guardrail_says_so() {
    let guarded = Guarded::start().await;
    let mut result = after("c1", &["Lamp, sold by jane@example.com", "Ships today"]);
    result["additional_provider_specific_params"] = json!({ "source": "tool_result" });
    let answer = asked(&guarded, &result).await;
    assert_eq!(answer["texts"], json!(["Lamp, sold by [EMAIL_REDACTED]", "Ships today"]));
    result["texts"] = json!(["Lamp", ORDER]);
    assert_eq!(asked(&guarded, &result).await["action"], "BLOCKED");
}

#[tokio::test]
async fn an_image_that_is_not_sent_along_counts_as_unread() {
    let guarded = Guarded::start().await;
    let mut call = before("c1", &json!([{ "role": "user", "content": "What is this?" }]));
    call["images"] = json!(["https://host.example/lamp.png"]);
    let answer = asked(&guarded, &call).await;
    assert_eq!(answer["action"], "BLOCKED");
    assert!(answer["blocked_reason"].as_str().unwrap().contains("incomplete_coverage"), "{answer}");
}

#[tokio::test]
async fn a_repeated_call_is_evaluated_and_charged_once() {
    let guarded = Guarded::start().await;
    let call = before("c1", &json!([{ "role": "user", "content": "I am jane@example.com" }]));
    let (first, second) = tokio::join!(asked(&guarded, &call), asked(&guarded, &call));
    let third = asked(&guarded, &call).await;
    assert_eq!((&first, &first), (&second, &third));
    assert_eq!(guarded.service.charges(&guarded.token).await, 1);
    assert_eq!(guarded.logs("").await.len(), 1);
    // Other texts of the same call, and the same texts of another one, are no repetitions.
    let other = before("c1", &json!([{ "role": "user", "content": ORDER }]));
    assert_eq!(asked(&guarded, &other).await["action"], "BLOCKED");
    let mut fresh = call.clone();
    fresh["litellm_call_id"] = json!("c2");
    assert_eq!(asked(&guarded, &fresh).await, first);
    assert_eq!(guarded.logs("").await.len(), 3);
    // Nor are those of another key, whose rights differ.
    let scope = format!("&projectId={}&permissions=FIREWALL:VALIDATE", guarded.project);
    let validates = key(&guarded.service, &guarded.token, &scope).await;
    let refused = send(guarded.service.post(PATH).bearer_auth(&validates).json(&call)).await;
    refused.refuses(403, "missing required permission: FIREWALL:ANALYZE");
}

#[tokio::test]
async fn a_stream_is_masked_without_taking_back_what_was_sent() {
    let guarded = Guarded::start().await;
    let text = "Thank you for your order of a lamp, which will arrive on the day after tomorrow. For questions, please \
        write to jane.doe@example.com and name the number of the order, so that we find it in our books at once.";
    let (letters, mut emitted) = (text.chars().collect::<Vec<_>>(), String::new());
    let mut rounds = 0;
    for end in (20..letters.len() + 20).step_by(20) {
        let so_far: String = letters.iter().take(end).collect();
        let answer = asked(&guarded, &after("stream", &[&so_far])).await;
        let masked = answer["texts"][0].as_str().unwrap_or(&so_far).to_owned();
        assert!(masked.starts_with(&emitted), "{masked:?} does not begin with {emitted:?}");
        let is_last = end >= letters.len();
        let held = if is_last { 0 } else { answer["stream_holdback_chars"][0].as_u64().unwrap() as usize };
        let sendable = masked.chars().count() - held;
        emitted = masked.chars().take(sendable.max(emitted.chars().count())).collect();
        assert!(!emitted.contains("jane"), "{emitted}");
        rounds += 1;
    }
    assert!(emitted.contains("write to [EMAIL_REDACTED] and name"), "{emitted}");
    assert!(rounds > 8 && emitted.ends_with("at once."));
    assert_eq!(guarded.service.charges(&guarded.token).await, 1, "a stream of one unit is charged once");
}

#[tokio::test]
async fn each_choice_and_tool_call_of_a_response_is_evaluated() {
    let guarded = Guarded::start().await;
    let answer = asked(&guarded, &after("c1", &["one", "write to jane@example.com"])).await;
    assert_eq!(answer["texts"], json!(["one", "write to [EMAIL_REDACTED]"]));
    assert_eq!(answer["stream_holdback_chars"].as_array().unwrap().len(), 2);
    let mut calls = after("c2", &[]);
    calls["tool_calls"] = json!([{ "id": "t", "type": "function",
        "function": { "name": "send", "arguments": "{\"text\":\"the plan of Aurora\"}" } }]);
    assert_eq!(asked(&guarded, &calls).await["action"], "BLOCKED");
}

#[tokio::test]
async fn a_log_entry_names_the_surface_and_the_callers_identifier() {
    let guarded = Guarded::start().await;
    asked(&guarded, &before("c1", &json!([{ "role": "user", "content": "hello" }]))).await;
    asked(&guarded, &after("c1", &["hello"])).await;
    let native = json!({ "prompt": "hello" });
    guarded.service.post_json(&guarded.token, "/v2/guardengine/svc_firewall_analyze", &native).await;
    let entries = guarded.logs("surface=litellm").await;
    let shown = |entry: &Value| {
        ["endpoint", "surface", "foreign_id", "username", "source_app", "conversation_id", "projectName"]
            .map(|field| entry[field].clone())
    };
    let request = ["analyze", "litellm", "c1", "ann", "shop", "trace-1", "guarded"].map(|text| json!(text));
    let mut endpoints: Vec<_> = entries.iter().map(|entry| entry["endpoint"].as_str().unwrap()).collect();
    endpoints.sort_unstable();
    assert_eq!(endpoints, ["analyze", "validate"]);
    let entry = entries.iter().find(|entry| entry["endpoint"] == "analyze").unwrap();
    assert_eq!(shown(entry), request);
    let native = guarded.logs("surface=native").await;
    assert_eq!((native.len(), &native[0]["foreign_id"]), (1, &Value::Null));
}

#[tokio::test]
async fn invalid_requests_name_the_field() {
    let guarded = Guarded::start().await;
    let refused = async |body: Value| -> Response { guarded.post(PATH, &body).await };
    refused(json!({ "texts": "hello" })).await.refuses(422, "texts: must be an array of at most 4000 items");
    refused(json!({ "texts": ["a", 7] })).await.refuses(422, "texts.1: must be a string");
    refused(json!({ "input_type": "both" }))
        .await
        .refuses(422, "input_type: must be one of request, response");
    let parameters = json!({ "additional_provider_specific_params": { "source": "web" } });
    refused(parameters)
        .await
        .refuses(422, "additional_provider_specific_params.source: must be one of tool_result");
    let images = vec!["data:image/jpeg;base64,/9j/4A=="; 17];
    refused(json!({ "texts": [], "images": images }))
        .await
        .refuses(422, "images: must have at most 16 items");
}

#[tokio::test]
async fn the_project_of_the_parameters_counts_last() {
    let guarded = Guarded::start().await;
    let parameters = json!({ "projectId": guarded.project });
    let body = json!({ "texts": ["about Aurora"], "additional_provider_specific_params": parameters });
    assert_eq!(guarded.post_at(PATH, &body).await.body["action"], "BLOCKED");
}

#[tokio::test]
async fn a_call_that_cannot_be_paid_is_not_allowed() {
    let guarded = Guarded::with(&[("credits.initial", "1")]).await;
    let messages = json!([{ "role": "user", "content": "hello" }]);
    asked(&guarded, &before("c1", &messages)).await;
    let refused = guarded.post(PATH, &before("c2", &messages)).await;
    refused.refuses(403, "insufficient credits: analyze needs 1, balance is 0");
}
