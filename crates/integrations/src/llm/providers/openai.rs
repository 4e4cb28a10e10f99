//! OpenAI's chat completions.

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
    // Reasoning models accept only this name, and reject a temperature.
    body["max_completion_tokens"] = json!(completion.tokens);
    (join_path(connector.text("base_url"), &["chat", "completions"]), body)
}
