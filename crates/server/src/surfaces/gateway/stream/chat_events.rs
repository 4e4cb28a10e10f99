//! Chunks of chat completions. Source: <https://platform.openai.com/docs/api-reference/chat-streaming>.

use guardengine_guard::{
    TextForm::{Json, Plain},
    TextKey,
};
use guardengine_integrations::llm::gateway::WireFormat;
use serde_json::{Value, json};

use super::{
    super::usage::usage,
    events::{Ends, Fields, Reader, number},
};

/// Texts of a message, in the order of their keys.
const TEXTS: [&str; 4] = ["content", "refusal", "reasoning_content", "reasoning"];

pub fn read<'b>(reader: &mut Reader<'b>, fields: &Fields<'b>) {
    let reported = fields.get("usage");
    reader.texts.says_more |= reported.is_some_and(|usage| usage.is_nested());
    reader.texts.tokens = usage(WireFormat::Chat, reported);
    for choice in fields.get("choices").map(|choices| choices.items()).unwrap_or_default() {
        let choice = choice.fields();
        let index = number(&choice, "index");
        let delta = choice.get("delta").map(|delta| delta.fields()).unwrap_or_default();
        for (kind, name) in TEXTS.iter().enumerate() {
            reader.delta([index, 0, kind as u32], Plain, delta.get(*name));
        }
        arguments(reader, [index, 0, 4], delta.get("function_call").map(|call| call.fields()).as_ref());
        let spoken = delta.get("audio").map(|audio| audio.fields()).unwrap_or_default();
        reader.delta([index, 0, 5], Plain, spoken.get("transcript"));
        for call in delta.get("tool_calls").map(|calls| calls.items()).unwrap_or_default() {
            let call = call.fields();
            let at = number(&call, "index");
            // The first part of a call names it.
            reader.texts.says_more |= call.contains_key("id");
            arguments(
                reader,
                [index, at, 6],
                call.get("function").map(|function| function.fields()).as_ref(),
            );
            let custom = call.get("custom").map(|custom| custom.fields()).unwrap_or_default();
            reader.delta([index, at, 7], Plain, custom.get("input"));
        }
        reader.texts.says_more |= delta.contains_key("role");
        if choice.get("finish_reason").is_some_and(|reason| reason.raw() != "null") {
            reader.texts.ends = Ends::Group(index);
        }
    }
}

fn arguments<'b>(reader: &mut Reader<'b>, key: TextKey, function: Option<&Fields<'b>>) {
    reader.delta(key, Json, function.and_then(|function| function.get("arguments")));
}

/// Returns a chunk with the next part of a text, of the answer that the chunk `data` belongs to. Names and roles are not
/// repeated, because clients join them.
pub fn part(data: &str, [index, at, kind]: TextKey, text: &str) -> String {
    let delta = match kind {
        4 => json!({ "function_call": { "arguments": text } }),
        5 => json!({ "audio": { "transcript": text } }),
        6 => json!({ "tool_calls": [{ "index": at, "function": { "arguments": text } }] }),
        7 => json!({ "tool_calls": [{ "index": at, "custom": { "input": text } }] }),
        kind => json!({ TEXTS[kind as usize % TEXTS.len()]: text }),
    };
    chunk(data, &json!([{ "index": index, "delta": delta, "logprobs": null, "finish_reason": null }]))
}

/// Returns a chunk with these choices, of the answer that the chunk `data` belongs to.
pub fn chunk(data: &str, choices: &Value) -> String {
    let mut chunk: Value = serde_json::from_str(data).unwrap_or_default();
    if let Some(fields) = chunk.as_object_mut() {
        fields.remove("usage");
    }
    chunk["choices"] = choices.clone();
    chunk.to_string()
}
