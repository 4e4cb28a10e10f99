//! Servers with OpenAI's chat completions API: vLLM, Ollama, llama.cpp, gateways.
//!
//! They accept `max_tokens` and a temperature. Without a schema, models often wrap JSON in a Markdown code block.

use guardengine_egress::join_path;
use serde_json::{Value, json};

use super::chat;
use crate::{connectors::OpenConnector, llm::CompletionRequest};

pub fn request(
    connector: &OpenConnector,
    completion: &CompletionRequest,
    with_schema: bool,
) -> (String, Value) {
    let mut body = chat::body(completion, with_schema);
    body["model"] = json!(connector.text("model"));
    body["max_tokens"] = json!(completion.tokens);
    body["temperature"] = json!(0);
    (join_path(connector.text("base_url"), &["chat", "completions"]), body)
}

pub fn read(body: &Value) -> Result<String, &'static str> {
    chat::read(body).map(|text| strip_code_block(&text).unwrap_or(&text).to_owned())
}

/// Returns the content of a text that is one Markdown code block.
fn strip_code_block(text: &str) -> Option<&str> {
    let inside = text.trim().strip_prefix("```")?.strip_suffix("```")?;
    Some(inside.strip_prefix("json").unwrap_or(inside))
}
