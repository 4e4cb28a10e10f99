//! Wire formats of AI providers: request bodies, and the text of responses.
//!
//! Truncated, refused and malformed responses are errors.

mod anthropic;
mod azure_openai;
mod chat;
mod gemini;
mod openai;
mod openai_compatible;

use guardengine_egress::{Request, Response};
use serde_json::Value;

use super::CompletionRequest;
use crate::connectors::{OpenConnector, authorised};

/// Error text for a truncated response.
const TRUNCATED: &str = "the response was truncated";
/// Error text for a response without text.
const EMPTY: &str = "the response contains no text";
/// Error text for a refusal by the model or a filter in front of it.
const REFUSED: &str = "the model refused to answer";

/// Builds the request in the format of the connector's provider. `with_schema` makes the provider enforce the schema.
pub fn request(connector: &OpenConnector, completion: &CompletionRequest, with_schema: bool) -> Request {
    let (url, body) = match connector.kind.name {
        "anthropic" => anthropic::request(connector, completion, with_schema),
        "azure_openai" => azure_openai::request(connector, completion, with_schema),
        "gemini" => gemini::request(connector, completion, with_schema),
        "openai" => openai::request(connector, completion, with_schema),
        _ => openai_compatible::request(connector, completion, with_schema),
    };
    authorised(connector, Request::post(connector.stored.id, url, body.to_string()))
}

/// Returns the complete text of a response.
pub fn read(connector: &OpenConnector, response: &Response) -> Result<String, &'static str> {
    let body: Value = serde_json::from_slice(&response.body).map_err(|_| "the response is not JSON")?;
    let text = match connector.kind.name {
        "anthropic" => anthropic::read(&body)?,
        "gemini" => gemini::read(&body)?,
        "openai_compatible" => openai_compatible::read(&body)?,
        _ => chat::read(&body)?,
    };
    if text.trim().is_empty() { Err(EMPTY) } else { Ok(text) }
}

#[cfg(test)]
mod tests;
