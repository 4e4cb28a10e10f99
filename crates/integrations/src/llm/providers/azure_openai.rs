//! Azure OpenAI: chat completions of a deployment.
//!
//! Source: <https://learn.microsoft.com/azure/ai-services/openai/reference> (data plane, inference). The deployment names
//! the model. No token limit is sent, because its name depends on the model and the API version.

use guardengine_egress::join_path;
use serde_json::Value;

use super::chat;
use crate::{connectors::OpenConnector, llm::CompletionRequest};

pub fn request(
    connector: &OpenConnector,
    completion: &CompletionRequest,
    with_schema: bool,
) -> (String, Value) {
    let path = ["openai", "deployments", connector.text("deployment"), "chat", "completions"];
    let url = join_path(connector.text("endpoint"), &path);
    let url = format!("{url}?api-version={}", connector.text("api_version"));
    (url, chat::body(completion, with_schema))
}
