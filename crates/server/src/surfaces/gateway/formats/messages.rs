//! Anthropic's messages. Source: <https://platform.claude.com/docs/en/api/messages>.

use std::collections::BTreeMap;

use guardengine_guard::submission::Role;
use serde_json::{Value, json};

use super::{
    super::{
        json::Node,
        texts::{Source, Texts, author},
    },
    Refusal,
};

/// Author of the blocks of an answer.
pub const ANSWER: Source = Source::Turn(Role::Assistant);

pub fn request<'b>(texts: &mut Texts<'b>, fields: &BTreeMap<String, Node<'b>>) {
    content(texts, Source::Turn(Role::System), fields.get("system"));
    for row in fields.get("messages").map(|messages| messages.items()).unwrap_or_default() {
        let message = row.fields();
        content(texts, Source::Turn(author(message.get("role"))), message.get("content"));
    }
    texts.descriptions(fields.get("tools"));
}

/// Reads a content: a text, or a list of blocks.
fn content<'b>(texts: &mut Texts<'b>, source: Source, content: Option<&Node<'b>>) {
    texts.text(source, content);
    for item in content.map(|content| content.items()).unwrap_or_default() {
        block(texts, source, item);
    }
}

/// Reads a block of a message.
pub fn block<'b>(texts: &mut Texts<'b>, source: Source, block: Node<'b>) {
    let fields = block.fields();
    let kind = fields.get("type").and_then(|kind| kind.text()).unwrap_or_default();
    match kind.as_str() {
        "text" => texts.text(source, fields.get("text")),
        "thinking" => texts.signed(ANSWER, fields.get("thinking")),
        // Encrypted by the provider.
        "redacted_thinking" => {}
        "image" => image(texts, fields.get("source")),
        "document" => document(texts, fields.get("source")),
        "tool_use" | "server_tool_use" | "mcp_tool_use" => texts.json(ANSWER, fields.get("input")),
        "tool_result" | "mcp_tool_result" => {
            content(texts, Source::Turn(Role::Tool), fields.get("content"));
        }
        "search_result" => content(texts, Source::Document, fields.get("content")),
        // Results of the provider's own tools.
        _ => texts.json(Source::Turn(Role::Tool), Some(&block)),
    }
}

fn image<'b>(texts: &mut Texts<'b>, source: Option<&Node<'b>>) {
    let fields = source.map(|source| source.fields()).unwrap_or_default();
    // At an address, or uploaded before, it has no data.
    texts.image(fields.get("data"));
}

fn document<'b>(texts: &mut Texts<'b>, source: Option<&Node<'b>>) {
    let fields = source.map(|source| source.fields()).unwrap_or_default();
    match fields.get("type").and_then(|kind| kind.text()).as_deref() {
        Some("text") => texts.text(Source::Document, fields.get("data")),
        Some("content") => content(texts, Source::Document, fields.get("content")),
        _ => texts.has_unread = true,
    }
}

pub fn refusal(refusal: &Refusal<'_>) -> Value {
    json!({
        "id": refusal.field("id", || json!(format!("msg_{}", refusal.id))),
        "type": "message",
        "role": "assistant",
        "model": refusal.field("model", || json!(refusal.model)),
        "content": [{ "type": "text", "text": refusal.message }],
        "stop_reason": "refusal",
        "stop_sequence": null,
        "stop_details": { "type": "refusal", "category": null, "explanation": refusal.message },
        "usage": refusal.field("usage", || json!({ "input_tokens": 0, "output_tokens": 0 })),
    })
}
