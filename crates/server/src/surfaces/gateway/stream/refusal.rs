//! The end of a stream that is blocked or failed, in the form of the provider.

use guardengine_integrations::llm::gateway::WireFormat;
use serde_json::{Value, json};

use super::{chat_events, sse::write};

/// Writes the events of a whole answer that stands for a blocked call.
pub fn whole(format: WireFormat, refusal: &Value) -> String {
    let mut output = String::new();
    match format {
        WireFormat::Chat => {
            let mut base = refusal.clone();
            base["object"] = json!("chat.completion.chunk");
            let message = &refusal["choices"][0]["message"];
            let choice = json!([{ "index": 0, "delta": message, "finish_reason": null }]);
            write(&mut output, None, &chat_events::chunk(&base.to_string(), &choice));
            output.push_str(&chat_end(&base.to_string(), &json!({})));
        }
        WireFormat::Messages => messages(&mut output, refusal),
        WireFormat::Responses => responses(&mut output, refusal),
    }
    output
}

/// Writes the end of an answer of which `begun` is the first event with its identifier. `open` is the block that is not
/// ended.
pub fn end(format: WireFormat, begun: &str, open: Option<u32>, message: &str) -> String {
    let mut output = String::new();
    match format {
        WireFormat::Chat => output = chat_end(begun, &json!({ "refusal": message })),
        WireFormat::Messages => {
            if let Some(index) = open {
                named(&mut output, &json!({ "type": "content_block_stop", "index": index }));
            }
            let details = json!({ "type": "refusal", "category": null, "explanation": message });
            messages_end(&mut output, &details, &json!({ "output_tokens": 0 }));
        }
        WireFormat::Responses => {
            let begun: Value = serde_json::from_str(begun).unwrap_or_default();
            let mut response = begun["response"].clone();
            response["status"] = json!("incomplete");
            response["incomplete_details"] = json!({ "reason": "content_filter" });
            let content = json!([{ "type": "refusal", "refusal": message }]);
            response["output"] = json!([{ "type": "message", "id": "msg_blocked", "role": "assistant",
                "status": "incomplete", "content": content }]);
            named(&mut output, &json!({ "type": "response.incomplete", "response": response }));
        }
    }
    output
}

/// Writes an error in the form of the provider.
pub fn error(format: WireFormat, error: &Value) -> String {
    let mut output = String::new();
    match format {
        WireFormat::Chat => {
            write(&mut output, None, &error.to_string());
            write(&mut output, None, "[DONE]");
        }
        WireFormat::Messages => write(&mut output, Some("error"), &error.to_string()),
        WireFormat::Responses => {
            let (message, code) = (&error["error"]["message"], &error["error"]["code"]);
            named(&mut output, &json!({ "type": "error", "code": code, "message": message, "param": null }));
        }
    }
    output
}

/// Writes an event whose name is its type.
fn named(output: &mut String, data: &Value) {
    write(output, data["type"].as_str(), &data.to_string());
}

fn chat_end(begun: &str, delta: &Value) -> String {
    let mut output = String::new();
    let choice = json!([{ "index": 0, "delta": delta, "finish_reason": "content_filter" }]);
    write(&mut output, None, &chat_events::chunk(begun, &choice));
    write(&mut output, None, "[DONE]");
    output
}

fn messages(output: &mut String, refusal: &Value) {
    let mut message = refusal.clone();
    message["content"] = json!([]);
    for name in ["stop_reason", "stop_details"] {
        message[name] = Value::Null;
    }
    named(output, &json!({ "type": "message_start", "message": message }));
    let block = json!({ "type": "text", "text": "" });
    named(output, &json!({ "type": "content_block_start", "index": 0, "content_block": block }));
    let delta = json!({ "type": "text_delta", "text": refusal["content"][0]["text"] });
    named(output, &json!({ "type": "content_block_delta", "index": 0, "delta": delta }));
    named(output, &json!({ "type": "content_block_stop", "index": 0 }));
    messages_end(output, &refusal["stop_details"], &refusal["usage"]);
}

fn messages_end(output: &mut String, details: &Value, usage: &Value) {
    let delta = json!({ "stop_reason": "refusal", "stop_sequence": null, "stop_details": details });
    named(output, &json!({ "type": "message_delta", "delta": delta, "usage": usage }));
    named(output, &json!({ "type": "message_stop" }));
}

fn responses(output: &mut String, refusal: &Value) {
    let mut begun = refusal.clone();
    begun["output"] = json!([]);
    begun["status"] = json!("in_progress");
    begun["incomplete_details"] = Value::Null;
    let item = &refusal["output"][0];
    let (id, part) = (&item["id"], &item["content"][0]);
    let mut added = item.clone();
    added["content"] = json!([]);
    added["status"] = json!("in_progress");
    let place = |kind: &str, name: &str, value: &Value| json!({ "type": kind, "item_id": id, "output_index": 0, "content_index": 0, name: value });
    let events = [
        json!({ "type": "response.created", "response": begun }),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": added }),
        place("response.content_part.added", "part", &json!({ "type": "refusal", "refusal": "" })),
        place("response.refusal.delta", "delta", &part["refusal"]),
        place("response.refusal.done", "refusal", &part["refusal"]),
        place("response.content_part.done", "part", part),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": item }),
        json!({ "type": "response.incomplete", "response": refusal }),
    ];
    for (number, mut event) in events.into_iter().enumerate() {
        event["sequence_number"] = json!(number);
        named(output, &event);
    }
}
