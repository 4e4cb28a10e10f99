//! OpenAI's chat completions.

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
    // The name that models which reason know too; for them a temperature is an error, so that none is sent.
    body["max_completion_tokens"] = json!(question.tokens);
    (join_path(connector.text("base_url"), &["chat", "completions"]), body)
}
