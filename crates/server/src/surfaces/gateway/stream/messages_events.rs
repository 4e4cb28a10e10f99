//! Events of messages. Source: <https://platform.claude.com/docs/en/build-with-claude/streaming>.

use guardengine_guard::{
    TextForm::{Json, Plain, Signed},
    TextKey,
};
use guardengine_integrations::llm::gateway::WireFormat;
use serde_json::json;

use super::{
    super::usage::usage,
    events::{Ends, Fields, Reader, number, text},
    sse::Event,
};

pub fn read<'b>(reader: &mut Reader<'b>, fields: &Fields<'b>) {
    let index = number(fields, "index");
    match text(fields, "type").as_str() {
        "message_start" => {
            let message = fields.get("message").map(|message| message.fields()).unwrap_or_default();
            reader.texts.tokens = usage(WireFormat::Messages, message.get("usage"));
        }
        "content_block_start" => {
            reader.texts.says_more = true;
            let Some(block) = fields.get("content_block") else { return };
            let inside = block.fields();
            match text(&inside, "type").as_str() {
                "text" => reader.delta([index, 0, 0], Plain, inside.get("text")),
                "thinking" => reader.delta([index, 0, 2], Signed, inside.get("thinking")),
                "tool_use" | "server_tool_use" | "mcp_tool_use" | "redacted_thinking" => {}
                // Results of the provider's own tools come as a whole.
                _ => reader.value([index, 0, 3], *block),
            }
        }
        "content_block_delta" => {
            let delta = fields.get("delta").map(|delta| delta.fields()).unwrap_or_default();
            reader.delta([index, 0, 0], Plain, delta.get("text"));
            reader.delta([index, 0, 1], Json, delta.get("partial_json"));
            reader.delta([index, 0, 2], Signed, delta.get("thinking"));
        }
        "content_block_stop" => reader.texts.ends = Ends::Group(index),
        "message_delta" => {
            reader.texts.ends = Ends::All;
            reader.texts.tokens = usage(WireFormat::Messages, fields.get("usage"));
        }
        "message_stop" => {
            reader.texts.ends = Ends::All;
            reader.texts.is_last = true;
        }
        _ => {}
    }
}

/// Returns an event with the next part of a text.
pub fn part([index, _, kind]: TextKey, text: &str) -> Event {
    let delta = match kind {
        1 => json!({ "type": "input_json_delta", "partial_json": text }),
        2 => json!({ "type": "thinking_delta", "thinking": text }),
        _ => json!({ "type": "text_delta", "text": text }),
    };
    let data = json!({ "type": "content_block_delta", "index": index, "delta": delta }).to_string();
    Event { name: Some("content_block_delta".to_owned()), data }
}
