//! Compares requests and responses with the formats that the vendors document.

use guardengine_egress::HeaderMap;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::llm::object;

/// Returns a response with this body.
fn response(body: &Value) -> Response {
    Response { status: 200, headers: HeaderMap::default(), body: body.to_string().into_bytes() }
}

fn completion() -> CompletionRequest {
    let schema = object([
        ("risk", json!({ "type": "number" })),
        ("kinds", json!({ "type": "array", "items": { "type": "string" } })),
    ]);
    CompletionRequest {
        purpose: "judgement",
        system: "judge".to_owned(),
        user: "this".to_owned(),
        schema,
        tokens: 99,
    }
}

fn connector(kind: &str) -> OpenConnector {
    let fields = json!({
        "model": "m", "base_url": "https://a.example/b", "endpoint": "https://a.example",
        "deployment": "d", "api_version": "2024-10-21",
    });
    OpenConnector::of(kind, &fields)
}

fn strict() -> Value {
    json!({ "type": "json_schema", "json_schema": { "name": completion().purpose, "strict": true, "schema": completion().schema } })
}

fn messages() -> Value {
    json!([{ "role": "system", "content": "judge" }, { "role": "user", "content": "this" }])
}

#[test]
fn openai() {
    let (url, body) = openai::request(&connector("openai"), &completion(), true);
    assert_eq!(url, "https://a.example/b/chat/completions");
    let expected = json!({
        "model": "m", "messages": messages(), "max_completion_tokens": 99, "response_format": strict(),
    });
    assert_eq!(body, expected);
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["kinds", "risk"],
        "properties": { "risk": { "type": "number" }, "kinds": { "type": "array", "items": { "type": "string" } } },
    });
    assert_eq!(body["response_format"]["json_schema"]["schema"], schema);
}

#[test]
fn openai_compatible() {
    let (url, body) =
        super::openai_compatible::request(&connector("openai_compatible"), &completion(), false);
    assert_eq!(url, "https://a.example/b/chat/completions");
    let expected = json!({ "model": "m", "messages": messages(), "max_tokens": 99, "temperature": 0 });
    assert_eq!(body, expected);
}

#[test]
fn azure_openai() {
    let (url, body) = super::azure_openai::request(&connector("azure_openai"), &completion(), true);
    assert_eq!(url, "https://a.example/openai/deployments/d/chat/completions?api-version=2024-10-21");
    assert_eq!(body, json!({ "messages": messages(), "response_format": strict() }));
}

#[test]
fn anthropic() {
    let (url, body) = super::anthropic::request(&connector("anthropic"), &completion(), true);
    assert_eq!(url, "https://a.example/b/v1/messages");
    let expected = json!({
        "model": "m", "max_tokens": 99, "system": "judge",
        "messages": [{ "role": "user", "content": "this" }],
        "output_config": { "format": { "type": "json_schema", "schema": completion().schema } },
    });
    assert_eq!(body, expected);
}

#[test]
fn gemini() {
    let (url, body) = super::gemini::request(&connector("gemini"), &completion(), true);
    assert_eq!(url, "https://a.example/b/v1beta/models/m:generateContent");
    let schema = json!({
        "type": "OBJECT", "required": ["kinds", "risk"],
        "properties": { "risk": { "type": "NUMBER" }, "kinds": { "type": "ARRAY", "items": { "type": "STRING" } } },
    });
    let config = json!({
        "responseMimeType": "application/json", "maxOutputTokens": 99, "temperature": 0, "responseSchema": schema,
    });
    assert_eq!(body["generationConfig"], config);
    assert_eq!(body["systemInstruction"], json!({ "parts": [{ "text": "judge" }] }));
    assert_eq!(body["contents"], json!([{ "role": "user", "parts": [{ "text": "this" }] }]));
    assert_eq!(body["safetySettings"][0]["threshold"], "BLOCK_NONE");
}

fn reads(kind: &str, body: &Value) -> Result<String, &'static str> {
    read(&connector(kind), &response(body))
}

fn chat(message: &Value, end: &str) -> Value {
    json!({ "object": "chat.completion", "choices": [{ "index": 0, "message": message, "finish_reason": end }] })
}

#[test]
fn reads_the_text_of_a_complete_response() {
    let message = json!({ "role": "assistant", "content": "{}", "refusal": null });
    for kind in ["openai", "azure_openai", "openai_compatible"] {
        assert_eq!(reads(kind, &chat(&message, "stop")), Ok("{}".to_owned()), "{kind}");
    }
    let wrapped = json!({ "content": "```json\n{}\n```" });
    assert_eq!(reads("openai_compatible", &chat(&wrapped, "stop")).unwrap().trim(), "{}");
    let thought = json!({ "type": "thinking", "thinking": "hm", "signature": "s" });
    let blocks = json!([thought, { "type": "text", "text": "{" }, { "type": "text", "text": "}" }]);
    let response = json!({ "type": "message", "content": blocks, "stop_reason": "end_turn" });
    assert_eq!(reads("anthropic", &response), Ok("{}".to_owned()));
    let parts = json!([{ "text": "hm", "thought": true }, { "text": "{}" }]);
    let candidate = json!({ "content": { "role": "model", "parts": parts }, "finishReason": "STOP" });
    assert_eq!(reads("gemini", &json!({ "candidates": [candidate] })), Ok("{}".to_owned()));
}

#[test]
fn truncated_refused_and_empty_responses_are_errors() {
    let message = json!({ "content": "{}" });
    let anthropic = |end: &str| json!({ "content": [{ "type": "text", "text": "{}" }], "stop_reason": end });
    let gemini = |end: &str| json!({ "candidates": [{ "content": { "parts": [{ "text": "{}" }] }, "finishReason": end }] });
    for (kind, body, expected) in [
        ("openai", chat(&message, "length"), TRUNCATED),
        ("openai", chat(&message, "tool_calls"), TRUNCATED),
        ("openai", chat(&message, "content_filter"), REFUSED),
        ("openai", chat(&json!({ "content": "{}", "refusal": "no" }), "stop"), REFUSED),
        ("openai", chat(&json!({ "content": null }), "stop"), EMPTY),
        ("openai", chat(&json!({ "content": " \n" }), "stop"), EMPTY),
        ("openai", json!({ "choices": [] }), TRUNCATED),
        ("openai_compatible", json!({ "error": { "message": "loading" } }), TRUNCATED),
        ("azure_openai", json!([]), TRUNCATED),
        ("anthropic", anthropic("max_tokens"), TRUNCATED),
        ("anthropic", anthropic("refusal"), REFUSED),
        ("anthropic", anthropic("tool_use"), TRUNCATED),
        ("anthropic", json!({ "content": [], "stop_reason": "end_turn" }), EMPTY),
        ("gemini", gemini("MAX_TOKENS"), TRUNCATED),
        ("gemini", gemini("SAFETY"), REFUSED),
        ("gemini", json!({ "promptFeedback": { "blockReason": "SAFETY" } }), REFUSED),
        ("gemini", json!({ "candidates": [{ "finishReason": "STOP" }] }), EMPTY),
        ("gemini", json!({}), TRUNCATED),
    ] {
        assert_eq!(reads(kind, &body), Err(expected), "{kind} {body}");
    }
    let html = Response { body: b"<html>".to_vec(), ..response(&json!({})) };
    assert!(read(&connector("openai"), &html).is_err());
}

/// JSON of the fields that providers answer with, in any place and with any type.
fn any_answer() -> impl Strategy<Value = Value> {
    let names = [
        "choices",
        "message",
        "content",
        "text",
        "type",
        "refusal",
        "finish_reason",
        "stop_reason",
        "candidates",
        "parts",
        "promptFeedback",
        "blockReason",
        "finishReason",
        "error",
        "delta",
        "thought",
        "reasoning_content",
    ];
    let words = ["stop", "length", "end_turn", "max_tokens", "STOP", "SAFETY", "text", "refusal", ""];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop::sample::select(words.to_vec()).prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 40, 5, move |inner| {
        let fields = (prop::sample::select(names.to_vec()).prop_map(str::to_owned), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            prop::collection::vec(fields, 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Returns every text in an answer.
fn words(answer: &Value) -> String {
    match answer {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(words).collect(),
        Value::Object(fields) => fields.values().map(words).collect(),
        _ => String::new(),
    }
}

proptest! {
    #[test]
    fn any_answer_is_a_text_or_an_error(body in any_answer()) {
        for read in [anthropic::read, gemini::read, openai_compatible::read, chat::read] {
            if let Ok(text) = read(&body) {
                let known = words(&body);
                prop_assert!(text.chars().all(|letter| letter == '\n' || known.contains(letter)), "{text}");
            }
        }
    }
}
