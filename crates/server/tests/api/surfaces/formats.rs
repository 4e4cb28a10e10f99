//! Calls and answers in the formats of the gateway.

use serde_json::{Value, json};

pub const CHAT: &str = "/v1/chat/completions";
pub const RESPONSES: &str = "/v1/responses";
pub const MESSAGES: &str = "/v1/messages";
/// Every format, with the type of a connector that takes it.
pub const FORMATS: [(&str, &str); 3] =
    [(CHAT, "openai"), (RESPONSES, "openai_compatible"), (MESSAGES, "anthropic")];

/// Returns a call of a format with one text of a user.
pub fn call(path: &str, text: &str) -> Value {
    match path {
        RESPONSES => json!({ "model": "m-1", "input": text }),
        _ => json!({ "model": "m-1", "max_tokens": 9, "messages": [{ "role": "user", "content": text }] }),
    }
}

/// Returns an answer of a format with this text, and a call of a tool with these arguments. It counts 4 tokens of the
/// request and 3 of the answer.
pub fn answer(path: &str, text: &str, arguments: &Value) -> Value {
    let written = arguments.to_string();
    match path {
        CHAT => {
            let function = json!({ "name": "f", "arguments": written });
            let call = json!({ "id": "t", "type": "function", "function": function });
            let message = json!({ "role": "assistant", "content": text, "tool_calls": [call] });
            let usage = json!({ "prompt_tokens": 4, "completion_tokens": 3, "total_tokens": 7 });
            json!({ "id": "a-1", "object": "chat.completion", "created": 1, "model": "up", "usage": usage,
                "choices": [{ "index": 0, "message": message, "finish_reason": "tool_calls" }] })
        }
        RESPONSES => {
            json!({ "id": "a-1", "object": "response", "status": "completed", "usage": { "input_tokens": 4, "output_tokens": 3, "total_tokens": 7 },
            "output": [
                { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": text }] },
                { "type": "function_call", "call_id": "t", "name": "f", "arguments": written }] })
        }
        _ => json!({ "id": "a-1", "type": "message", "role": "assistant",
            "usage": { "input_tokens": 1, "cache_read_input_tokens": 3, "output_tokens": 3 },
            "content": [{ "type": "text", "text": text },
                { "type": "tool_use", "id": "t", "name": "f", "input": arguments }], "stop_reason": "tool_use" }),
    }
}

/// Returns the text of an answer and the arguments of its first tool call.
pub fn said(path: &str, answer: &Value) -> (Value, Value) {
    let parsed = |text: &Value| serde_json::from_str(text.as_str().unwrap()).unwrap();
    match path {
        CHAT => {
            let message = &answer["choices"][0]["message"];
            (message["content"].clone(), parsed(&message["tool_calls"][0]["function"]["arguments"]))
        }
        RESPONSES => {
            (answer["output"][0]["content"][0]["text"].clone(), parsed(&answer["output"][1]["arguments"]))
        }
        _ => (answer["content"][0]["text"].clone(), answer["content"][1]["input"].clone()),
    }
}

/// Returns whether an answer is the provider's own form of a refusal.
pub fn is_refusal(path: &str, answer: &Value) -> bool {
    match path {
        CHAT => {
            let choice = &answer["choices"][0];
            choice["finish_reason"] == "content_filter" && choice["message"]["refusal"].is_string()
        }
        RESPONSES => {
            answer["status"] == "incomplete"
                && answer["incomplete_details"]["reason"] == "content_filter"
                && answer["output"][0]["content"][0]["type"] == "refusal"
        }
        _ => answer["stop_reason"] == "refusal" && answer["content"][0]["text"].is_string(),
    }
}
