//! Completion requests, independent of the provider.

use serde_json::{Map, Value, json};

/// A request for one JSON object.
#[derive(Clone, Debug)]
pub struct CompletionRequest {
    /// Purpose, as a name for metrics and providers: letters and `_`.
    pub purpose: &'static str,
    /// System prompt: our instructions.
    pub system: String,
    /// User prompt: untrusted texts, [delimited](super::fenced).
    pub user: String,
    /// JSON Schema of the response. Limited to what the structured output of every provider supports: objects with required
    /// properties only, arrays, `enum` and `description`; no ranges and no lengths.
    pub schema: Value,
    /// Maximum number of tokens of the response, including the model's reasoning.
    pub tokens: u32,
}

/// Returns the schema of an object with exactly these properties.
pub fn object<'a>(properties: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let properties: Map<String, Value> =
        properties.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
    let required: Vec<&String> = properties.keys().collect();
    json!({
        "type": "object", "properties": &properties, "required": required, "additionalProperties": false,
    })
}
