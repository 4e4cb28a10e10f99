//! Servers that speak OpenAI's chat completions: vLLM, Ollama, llama.cpp, gateways.
//!
//! They take `max_tokens` and a temperature. Models without a schema like to put JSON into a block of Markdown.

use guardengine_egress::join_path;
use serde_json::{Value, json};

use super::chat;
use crate::{connectors::OpenConnector, llm::CompletionRequest};

pub fn request(
    connector: &OpenConnector,
    question: &CompletionRequest,
    with_schema: bool,
) -> (String, Value) {
    let mut body = chat::body(question, with_schema);
    body["model"] = json!(connector.text("model"));
    body["max_tokens"] = json!(question.tokens);
    body["temperature"] = json!(0);
    (join_path(connector.text("base_url"), &["chat", "completions"]), body)
}

pub fn read(body: &Value) -> Result<String, &'static str> {
    chat::read(body).map(|text| unwrapped(&text).unwrap_or(&text).to_owned())
}

/// The inside of a text that is one block of Markdown.
fn unwrapped(text: &str) -> Option<&str> {
    let inside = text.trim().strip_prefix("```")?.strip_suffix("```")?;
    Some(inside.strip_prefix("json").unwrap_or(inside))
}
