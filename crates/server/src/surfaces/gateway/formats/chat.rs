//! OpenAI's chat completions. Source: <https://platform.openai.com/docs/api-reference/chat>.

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

type Fields<'b> = BTreeMap<String, Node<'b>>;

pub fn request<'b>(texts: &mut Texts<'b>, fields: &Fields<'b>) {
    for row in fields.get("messages").map(|messages| messages.items()).unwrap_or_default() {
        let message = row.fields();
        let source = Source::Turn(author(message.get("role")));
        content(texts, source, message.get("content"));
        said(texts, source, &message);
    }
    for name in ["tools", "functions", "response_format"] {
        texts.descriptions(fields.get(name));
    }
    if let Some(prediction) = fields.get("prediction") {
        content(texts, Source::Turn(Role::User), prediction.fields().get("content"));
    }
}

/// Reads a choice of an answer.
pub fn choice<'b>(texts: &mut Texts<'b>, choice: &Fields<'b>) {
    let Some(message) = choice.get("message").map(|message| message.fields()) else { return };
    let source = Source::Turn(Role::Assistant);
    content(texts, source, message.get("content"));
    said(texts, source, &message);
}

/// Reads what a message holds besides its content: the model's calls of tools, its refusal and its reasoning.
fn said<'b>(texts: &mut Texts<'b>, source: Source, message: &Fields<'b>) {
    for name in ["refusal", "reasoning_content", "reasoning"] {
        texts.text(source, message.get(name));
    }
    let spoken = message.get("audio").map(|audio| audio.fields()).unwrap_or_default();
    texts.text(source, spoken.get("transcript"));
    let calls = message.get("tool_calls").map(|calls| calls.items()).unwrap_or_default();
    for call in calls.into_iter().map(Node::fields) {
        arguments(texts, call.get("function"));
        if let Some(custom) = call.get("custom") {
            texts.text(Source::Turn(Role::Assistant), custom.fields().get("input"));
        }
    }
    arguments(texts, message.get("function_call"));
}

fn arguments<'b>(texts: &mut Texts<'b>, function: Option<&Node<'b>>) {
    if let Some(function) = function {
        texts.json_text(Source::Turn(Role::Assistant), function.fields().get("arguments"));
    }
}

/// Reads a content: a text, or a list of parts.
fn content<'b>(texts: &mut Texts<'b>, source: Source, content: Option<&Node<'b>>) {
    texts.text(source, content);
    for part in content.map(|content| content.items()).unwrap_or_default() {
        let part = part.fields();
        match part.get("type").and_then(|kind| kind.text()).as_deref() {
            Some("text") | None => texts.text(source, part.get("text")),
            Some("refusal") => texts.text(source, part.get("refusal")),
            Some("image_url") => {
                let image = part.get("image_url").map(|image| image.fields()).unwrap_or_default();
                texts.image(image.get("url"));
            }
            Some(_) => texts.has_unread = true,
        }
    }
}

pub fn refusal(refusal: &Refusal<'_>) -> Value {
    let message = json!({ "role": "assistant", "content": refusal.message, "refusal": refusal.message });
    json!({
        "id": refusal.field("id", || json!(format!("chatcmpl-{}", refusal.id))),
        "object": "chat.completion",
        "created": refusal.field("created", || json!(refusal.now)),
        "model": refusal.field("model", || json!(refusal.model)),
        "choices": [{ "index": 0, "message": message, "logprobs": null, "finish_reason": "content_filter" }],
        "usage": refusal.field("usage", || {
            json!({ "prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0 })
        }),
    })
}
