//! What a language model is asked.

use serde_json::{Map, Value, json};

/// A question that is answered with one JSON object.
#[derive(Clone, Debug)]
pub struct CompletionRequest {
    /// What it is for, as metrics and providers name it: letters and `_`.
    pub purpose: &'static str,
    /// Our instructions.
    pub system: String,
    /// What they are about: texts of others, [fenced](super::fenced).
    pub user: String,
    /// JSON Schema of the answer, within what every provider's structured output supports: objects whose properties
    /// are all required and no others, arrays, `enum` and `description`; no ranges and no lengths.
    pub schema: Value,
    /// Tokens of the answer at most, what the model thinks for itself included.
    pub tokens: u32,
}

/// The schema of an object with exactly these properties.
pub fn object<'a>(properties: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let properties: Map<String, Value> =
        properties.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
    let required: Vec<&String> = properties.keys().collect();
    json!({
        "type": "object", "properties": &properties, "required": required, "additionalProperties": false,
    })
}
