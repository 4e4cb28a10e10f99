//! The texts of requests and answers, as the providers' documents show them.

use guardengine_guard::submission::Role;
use serde_json::json;

use super::*;
use crate::surfaces::gateway::texts::{Form, Source};

const SYSTEM: Source = Source::Turn(Role::System);
const USER: Source = Source::Turn(Role::User);
const MODEL: Source = Source::Turn(Role::Assistant);
const TOOL: Source = Source::Turn(Role::Tool);

/// Returns the author and the text of each text, which stands where it says.
fn read(texts: &Texts<'_>, body: &str) -> Vec<(Source, String)> {
    for one in &texts.found {
        let written = &body[one.span.clone()];
        let text =
            if one.form == Form::Json { Some(written.to_owned()) } else { Node::of(written).unwrap().text() };
        assert_eq!(text.as_ref(), Some(&one.text));
    }
    texts.found.iter().map(|one| (one.source, one.text.clone())).collect()
}

fn expected(texts: &[(Source, &str)]) -> Vec<(Source, String)> {
    texts.iter().map(|(source, text)| (*source, (*text).to_owned())).collect()
}

#[test]
fn a_chat_request_has_texts_in_every_role() {
    let body = json!({ "model": "m", "messages": [
        { "role": "developer", "content": "be kind" },
        { "role": "user", "content": [{ "type": "text", "text": "what is this?" },
            { "type": "image_url", "image_url": { "url": "data:image/png;base64,AA" } }] },
        { "role": "assistant", "content": null, "tool_calls": [
            { "id": "t", "type": "function", "function": { "name": "f", "arguments": "{\"q\":1}" } },
            { "id": "u", "type": "custom", "custom": { "name": "g", "input": "free" } }] },
        { "role": "tool", "tool_call_id": "t", "content": "result" },
    ], "tools": [{ "type": "function", "function": { "name": "f", "description": "finds",
        "parameters": { "properties": { "q": { "description": "what" } } } } }] })
    .to_string();
    let texts = request(WireFormat::Chat, &body);
    let all = [
        (SYSTEM, "be kind"),
        (USER, "what is this?"),
        (MODEL, "{\"q\":1}"),
        (MODEL, "free"),
        (TOOL, "result"),
        (Source::Document, "finds"),
        (Source::Document, "what"),
    ];
    assert_eq!(read(&texts, &body), expected(&all));
    assert_eq!((texts.images.len(), texts.has_unread), (1, false));
    assert_eq!(texts.found[2].form, Form::JsonText);
}

#[test]
fn what_is_not_read_is_known() {
    for (format, part) in [
        (WireFormat::Chat, json!({ "type": "input_audio", "input_audio": {} })),
        (WireFormat::Chat, json!({ "type": "file", "file": {} })),
        (WireFormat::Messages, json!({ "type": "document", "source": { "type": "base64", "data": "AA" } })),
        (WireFormat::Messages, json!({ "type": "image", "source": { "type": "url", "url": "https://a" } })),
        (WireFormat::Responses, json!({ "type": "input_file", "file_id": "f" })),
    ] {
        let row = json!([{ "role": "user", "content": [part] }]);
        let body = json!({ "messages": row, "input": row }).to_string();
        assert!(request(format, &body).has_unread, "{body}");
    }
}

#[test]
fn a_responses_request_has_items() {
    let body = json!({ "instructions": "be kind", "input": [
        { "role": "user", "content": "hello" },
        { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "hi" }] },
        { "type": "function_call", "call_id": "c", "name": "f", "arguments": "{}" },
        { "type": "function_call_output", "call_id": "c", "output": "found" },
        { "type": "mcp_call", "output": "o" },
        { "type": "reasoning", "summary": [{ "type": "summary_text", "text": "so" }] },
    ] })
    .to_string();
    let all = [
        (SYSTEM, "be kind"),
        (USER, "hello"),
        (MODEL, "hi"),
        (MODEL, "{}"),
        (TOOL, "found"),
        (MODEL, r#"{"output":"o","type":"mcp_call"}"#),
        (MODEL, "so"),
    ];
    assert_eq!(read(&request(WireFormat::Responses, &body), &body), expected(&all));
    let plain = json!({ "input": "hello" }).to_string();
    assert_eq!(read(&request(WireFormat::Responses, &plain), &plain), expected(&[(USER, "hello")]));
}

#[test]
fn a_messages_request_has_blocks() {
    let body = json!({ "system": [{ "type": "text", "text": "be kind" }], "messages": [
        { "role": "user", "content": "hello" },
        { "role": "assistant", "content": [
            { "type": "thinking", "thinking": "hm", "signature": "s" },
            { "type": "tool_use", "id": "t", "name": "f", "input": { "q": "x" } }] },
        { "role": "user", "content": [
            { "type": "tool_result", "tool_use_id": "t", "content": [{ "type": "text", "text": "found" }] },
            { "type": "document", "source": { "type": "text", "media_type": "text/plain", "data": "page" } },
            { "type": "text", "text": "and now?" }] },
    ], "tools": [{ "name": "f", "description": "finds", "input_schema": {} }] })
    .to_string();
    let texts = request(WireFormat::Messages, &body);
    let all = [
        (SYSTEM, "be kind"),
        (USER, "hello"),
        (MODEL, "hm"),
        (MODEL, r#"{"q":"x"}"#),
        (TOOL, "found"),
        (Source::Document, "page"),
        (USER, "and now?"),
        (Source::Document, "finds"),
    ];
    assert_eq!(read(&texts, &body), expected(&all));
    assert!(texts.found[2].is_signed && !texts.has_unread);
}

#[test]
fn answers_have_texts_and_arguments() {
    let chat = json!({ "choices": [{ "message": { "content": "hi", "tool_calls": [
        { "function": { "arguments": "{\"a\":1}" } }] } }, { "message": { "refusal": "no" } }] });
    let responses = json!({ "output": [{ "type": "message", "role": "assistant",
        "content": [{ "type": "output_text", "text": "hi" }, { "type": "refusal", "refusal": "no" }] },
        { "type": "function_call", "arguments": "{\"a\":1}" }] });
    let messages = json!({ "content": [{ "type": "text", "text": "hi" },
        { "type": "tool_use", "input": { "a": 1 } }, { "type": "text", "text": "no" }] });
    for (format, body) in
        [(WireFormat::Chat, chat), (WireFormat::Responses, responses), (WireFormat::Messages, messages)]
    {
        let body = body.to_string();
        let mut found = read(&answer(format, &body).unwrap().0, &body);
        found.sort_by(|a, b| a.1.cmp(&b.1));
        assert_eq!(found, expected(&[(MODEL, "hi"), (MODEL, "no"), (MODEL, "{\"a\":1}")]), "{format:?}");
    }
}

#[test]
fn what_is_no_answer_of_a_format_is_not_read() {
    for body in ["", "[]", "{}", r#"{"choices":{}}"#, r#"{"content":"x"}"#, r#"{"output":null}"#] {
        for format in [WireFormat::Chat, WireFormat::Responses, WireFormat::Messages] {
            assert!(answer(format, body).is_none(), "{body}");
        }
    }
}

#[test]
fn a_refusal_keeps_what_the_provider_counted() {
    let answered = json!({ "id": "x", "usage": { "total_tokens": 7 } });
    for format in [WireFormat::Chat, WireFormat::Responses, WireFormat::Messages] {
        let of = |answer| refusal(format, &Refusal { model: "m", message: "no", answer, id: "7", now: 1 });
        let (kept, made) = (of(Some(&answered)), of(None));
        assert_eq!((&kept["id"], &kept["usage"]["total_tokens"]), (&json!("x"), &json!(7)));
        assert!(made["id"].as_str().unwrap().ends_with("_7") || made["id"] == "chatcmpl-7");
        assert_eq!(made["model"], "m");
        assert_eq!(answer(format, &made.to_string()).unwrap().0.found[0].text, "no");
    }
}
