//! Anthropic's messages.
//!
//! Source: https://platform.claude.com/docs/en/api/messages, and /build-with-claude/structured-outputs. A forced tool
//! would not go together with models that think, so that the answer is text held to a schema.

use guardengine_egress::join_path;
use serde_json::{Value, json};

use super::{CUT, EMPTY, REFUSED};
use crate::{connectors::OpenConnector, llm::CompletionRequest};

pub fn request(
    connector: &OpenConnector,
    question: &CompletionRequest,
    with_schema: bool,
) -> (String, Value) {
    let mut body = json!({
        "model": connector.text("model"),
        "max_tokens": question.tokens,
        "system": question.system,
        "messages": [{ "role": "user", "content": question.user }],
    });
    if with_schema {
        body["output_config"] = json!({ "format": { "type": "json_schema", "schema": question.schema } });
    }
    (join_path(connector.text("base_url"), &["v1", "messages"]), body)
}

/// Blocks of other types hold what the model thought for itself.
pub fn read(body: &Value) -> Result<String, &'static str> {
    match body["stop_reason"].as_str() {
        Some("end_turn") => {}
        Some("refusal") => return Err(REFUSED),
        _ => return Err(CUT),
    }
    let blocks = body["content"].as_array().ok_or(EMPTY)?;
    let texts = blocks.iter().filter(|block| block["type"] == "text");
    Ok(texts.filter_map(|block| block["text"].as_str()).collect())
}
