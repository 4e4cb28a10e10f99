//! Chat completions, which several providers speak.
//!
//! Source: https://platform.openai.com/docs/api-reference/chat, and /docs/guides/structured-outputs.

use serde_json::{Value, json};

use super::{CUT, EMPTY, REFUSED};
use crate::llm::CompletionRequest;

/// The body of a question, without the model and the limit, which providers name differently.
pub fn body(question: &CompletionRequest, with_schema: bool) -> Value {
    let mut body = json!({
        "messages": [
            { "role": "system", "content": question.system },
            { "role": "user", "content": question.user },
        ],
    });
    if with_schema {
        let schema = json!({ "name": question.purpose, "strict": true, "schema": question.schema });
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
        return Err(CUT);
    }
    message["content"].as_str().map(str::to_owned).ok_or(EMPTY)
}
