//! Chat completions format, shared by several providers.
//!
//! Source: <https://platform.openai.com/docs/api-reference/chat>, and /docs/guides/structured-outputs.

use serde_json::{Value, json};

use super::{EMPTY, REFUSED, TRUNCATED};
use crate::llm::CompletionRequest;

/// Builds the request body, without the model and the token limit, which providers name differently.
pub fn body(completion: &CompletionRequest, with_schema: bool) -> Value {
    let mut body = json!({
        "messages": [
            { "role": "system", "content": completion.system },
            { "role": "user", "content": completion.user },
        ],
    });
    if with_schema {
        let schema = json!({ "name": completion.purpose, "strict": true, "schema": completion.schema });
        body["response_format"] = json!({ "type": "json_schema", "json_schema": schema });
    }
    body
}

pub fn read(body: &Value) -> Result<String, &'static str> {
    let choice = &body["choices"][0];
    let (message, end) = (&choice["message"], choice["finish_reason"].as_str());
    if end == Some("content_filter") || message["refusal"].is_string() {
        return Err(REFUSED);
    }
    if end != Some("stop") {
        return Err(TRUNCATED);
    }
    message["content"].as_str().map(str::to_owned).ok_or(EMPTY)
}
