//! OpenAI's responses. Source: <https://platform.openai.com/docs/api-reference/responses>.

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

const MODEL: Source = Source::Turn(Role::Assistant);

pub fn request<'b>(texts: &mut Texts<'b>, fields: &BTreeMap<String, Node<'b>>) {
    texts.text(Source::Turn(Role::System), fields.get("instructions"));
    texts.text(Source::Turn(Role::User), fields.get("input"));
    let items = fields.get("input").map(|input| input.items()).unwrap_or_default();
    for one in items {
        item(texts, one);
    }
    for name in ["tools", "text"] {
        texts.descriptions(fields.get(name));
    }
    if let Some(prompt) = fields.get("prompt") {
        // Variables of a stored template, which the caller fills in.
        texts.json(Source::Turn(Role::User), prompt.fields().get("variables"));
    }
}

/// Reads an item of the input or the output.
pub fn item<'b>(texts: &mut Texts<'b>, item: Node<'b>) {
    let fields = item.fields();
    let kind = fields.get("type").and_then(|kind| kind.text());
    match kind.as_deref() {
        Some("message") | None => {
            let source = Source::Turn(author(fields.get("role")));
            content(texts, source, fields.get("content"));
        }
        Some("function_call") => texts.json_text(MODEL, fields.get("arguments")),
        Some("custom_tool_call") => texts.text(MODEL, fields.get("input")),
        Some("function_call_output" | "custom_tool_call_output") => {
            content(texts, Source::Turn(Role::Tool), fields.get("output"));
        }
        Some("reasoning") => {
            content(texts, MODEL, fields.get("summary"));
            content(texts, MODEL, fields.get("content"));
        }
        // The provider read these when they were made.
        Some("item_reference" | "compaction") => {}
        Some("image_generation_call") => texts.has_unread = true,
        // Whatever a tool of the provider or of the client is called with, and what it returns.
        Some(kind) if kind.ends_with("_call") => texts.json(MODEL, Some(&item)),
        Some(_) => texts.json(Source::Turn(Role::Tool), Some(&item)),
    }
}

/// Reads a content: a text, or a list of parts.
fn content<'b>(texts: &mut Texts<'b>, source: Source, content: Option<&Node<'b>>) {
    texts.text(source, content);
    for part in content.map(|content| content.items()).unwrap_or_default() {
        let part = part.fields();
        match part.get("type").and_then(|kind| kind.text()).as_deref() {
            Some("input_text" | "output_text" | "text" | "summary_text" | "reasoning_text") | None => {
                texts.text(source, part.get("text"));
            }
            Some("refusal") => texts.text(source, part.get("refusal")),
            Some("input_image") => texts.image(part.get("image_url")),
            Some(_) => texts.has_unread = true,
        }
    }
}

pub fn refusal(refusal: &Refusal<'_>) -> Value {
    let content = json!([{ "type": "refusal", "refusal": refusal.message }]);
    let message = json!({ "id": format!("msg_{}", refusal.id), "type": "message", "role": "assistant",
        "status": "incomplete", "content": content });
    json!({
        "id": refusal.field("id", || json!(format!("resp_{}", refusal.id))),
        "object": "response",
        "created_at": refusal.field("created_at", || json!(refusal.now)),
        "status": "incomplete",
        "incomplete_details": { "reason": "content_filter" },
        "error": null,
        "instructions": null,
        "metadata": {},
        "model": refusal.field("model", || json!(refusal.model)),
        "output": [message],
        "parallel_tool_calls": true,
        "temperature": null,
        "tool_choice": "auto",
        "tools": [],
        "top_p": null,
        "usage": refusal.field("usage", || Value::Null),
    })
}
