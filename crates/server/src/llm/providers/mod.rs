//! The wire formats of providers, one a file: how a question is written, and how the text of an answer is read.
//!
//! An answer that was cut, refused or is not as its format says is no answer.

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

/// What an answer is that was not written to its end.
const CUT: &str = "its answer was cut";
/// What an answer is without the text that was asked for.
const EMPTY: &str = "its answer holds no text";
/// What it is when the model, or a filter before it, would not answer.
const REFUSED: &str = "it refused to answer";

/// The question as `connector` takes it; `with_schema` where the format holds the answer to its schema.
pub fn request(connector: &OpenConnector, question: &CompletionRequest, with_schema: bool) -> Request {
    let (url, body) = match connector.kind.name {
        "anthropic" => anthropic::request(connector, question, with_schema),
        "azure_openai" => azure_openai::request(connector, question, with_schema),
        "gemini" => gemini::request(connector, question, with_schema),
        "openai" => openai::request(connector, question, with_schema),
        _ => openai_compatible::request(connector, question, with_schema),
    };
    authorised(connector, Request::post(connector.stored.id, url, body.to_string()))
}

/// The text that the model wrote, to its end.
pub fn read(connector: &OpenConnector, answer: &Response) -> Result<String, &'static str> {
    let body: Value = serde_json::from_slice(&answer.body).map_err(|_| "its answer is no JSON")?;
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
