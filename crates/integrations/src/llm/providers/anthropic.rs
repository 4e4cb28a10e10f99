//! Anthropic's Messages API.
//!
//! Source: <https://platform.claude.com/docs/en/api/messages>, and /build-with-claude/structured-outputs. Models with
//! extended thinking reject a forced tool, so the response is text that follows a schema.

use guardengine_egress::join_path;
use serde_json::{Value, json};

use super::{EMPTY, REFUSED, TRUNCATED};
use crate::{connectors::OpenConnector, llm::CompletionRequest};

pub fn request(
    connector: &OpenConnector,
    completion: &CompletionRequest,
    with_schema: bool,
) -> (String, Value) {
    let mut body = json!({
        "model": connector.text("model"),
        "max_tokens": completion.tokens,
        "system": completion.system,
        "messages": [{ "role": "user", "content": completion.user }],
    });
    if with_schema {
        body["output_config"] = json!({ "format": { "type": "json_schema", "schema": completion.schema } });
    }
    (join_path(connector.text("base_url"), &["v1", "messages"]), body)
}

/// Reads the text blocks. Blocks of other types hold the model's reasoning.
pub fn read(body: &Value) -> Result<String, &'static str> {
    match body["stop_reason"].as_str() {
        Some("end_turn") => {}
        Some("refusal") => return Err(REFUSED),
        _ => return Err(TRUNCATED),
    }
    let blocks = body["content"].as_array().ok_or(EMPTY)?;
    let texts = blocks.iter().filter(|block| block["type"] == "text");
    Ok(texts.filter_map(|block| block["text"].as_str()).collect())
}
