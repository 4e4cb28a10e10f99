//! Gemini's `generateContent`.
//!
//! Source: <https://ai.google.dev/api/generate-content>, and /api/caching#Schema for the subset of OpenAPI that
//! `responseSchema` takes.

use guardengine_egress::join_path;
use serde_json::{Map, Value, json};

use super::{EMPTY, REFUSED, TRUNCATED};
use crate::{connectors::OpenConnector, llm::CompletionRequest};

/// Safety filters to turn off: they would keep the model from evaluating harmful texts.
const FILTERS: [&str; 4] = [
    "HARM_CATEGORY_HARASSMENT",
    "HARM_CATEGORY_HATE_SPEECH",
    "HARM_CATEGORY_SEXUALLY_EXPLICIT",
    "HARM_CATEGORY_DANGEROUS_CONTENT",
];

pub fn request(
    connector: &OpenConnector,
    completion: &CompletionRequest,
    with_schema: bool,
) -> (String, Value) {
    let mut config = json!({ "responseMimeType": "application/json", "maxOutputTokens": completion.tokens, "temperature": 0 });
    if with_schema {
        config["responseSchema"] = schema(&completion.schema);
    }
    let off = FILTERS.map(|category| json!({ "category": category, "threshold": "BLOCK_NONE" }));
    let body = json!({
        "systemInstruction": { "parts": [{ "text": completion.system }] },
        "contents": [{ "role": "user", "parts": [{ "text": completion.user }] }],
        "generationConfig": config,
        "safetySettings": off,
    });
    let method = format!("{}:generateContent", connector.text("model"));
    (join_path(connector.text("base_url"), &["v1beta", "models", &method]), body)
}

/// Converts a JSON Schema to the OpenAPI subset: upper-case types, no `additionalProperties`.
fn schema(json: &Value) -> Value {
    let Some(schema_of) = json.as_object() else { return json.clone() };
    let converted = |(key, value): (&String, &Value)| {
        let value = match (key.as_str(), value) {
            ("additionalProperties", _) => return None,
            ("type", Value::String(name)) => json!(name.to_uppercase()),
            ("properties", Value::Object(properties)) => {
                properties.iter().map(|(name, one)| (name.clone(), schema(one))).collect::<Map<_, _>>().into()
            }
            ("items", one) => schema(one),
            _ => value.clone(),
        };
        Some((key.clone(), value))
    };
    schema_of.iter().filter_map(converted).collect::<Map<_, _>>().into()
}

/// Reads the text parts, without those marked as thoughts.
pub fn read(body: &Value) -> Result<String, &'static str> {
    if body["promptFeedback"]["blockReason"].is_string() {
        return Err(REFUSED);
    }
    let candidate = &body["candidates"][0];
    match candidate["finishReason"].as_str() {
        Some("STOP") => {}
        Some("MAX_TOKENS") | None => return Err(TRUNCATED),
        Some(_) => return Err(REFUSED),
    }
    let parts = candidate["content"]["parts"].as_array().ok_or(EMPTY)?;
    let text_parts = parts.iter().filter(|part| part["thought"] != true);
    Ok(text_parts.filter_map(|part| part["text"].as_str()).collect())
}
