//! The formats that the gateway speaks: places of the texts, and forms of refusals and errors.

mod chat;
mod messages;
mod responses;

use axum::http::StatusCode;
use guardengine_guard::TokenUsage;
use guardengine_integrations::llm::gateway::WireFormat;
use serde_json::{Value, json};

use super::{json::Node, texts::Texts, usage::usage};
use crate::surfaces::openai_error::openai_error;

/// Contents of a refusal.
pub struct Refusal<'a> {
    /// Name of the model, as the client sent it.
    pub model: &'a str,
    /// Message to the client.
    pub message: &'a str,
    /// The provider's answer, whose identifier and usage stay.
    pub answer: Option<&'a Value>,
    /// An identifier, if there is no answer.
    pub id: &'a str,
    /// Seconds since 1970.
    pub now: i64,
}

impl Refusal<'_> {
    /// Returns a field of the answer that it stands for, or `otherwise`.
    fn field(&self, name: &str, otherwise: impl FnOnce() -> Value) -> Value {
        self.answer.and_then(|answer| answer.get(name)).cloned().unwrap_or_else(otherwise)
    }
}

/// Returns the texts of a request.
pub fn request(format: WireFormat, body: &str) -> Texts<'_> {
    let mut texts = Texts::of(body);
    if let Some(root) = Node::of(body) {
        let fields = root.fields();
        match format {
            WireFormat::Chat => chat::request(&mut texts, &fields),
            WireFormat::Responses => responses::request(&mut texts, &fields),
            WireFormat::Messages => messages::request(&mut texts, &fields),
        }
    }
    texts
}

/// Returns the texts of an answer and its tokens; `None` if it is not one of this format.
pub fn answer(format: WireFormat, body: &str) -> Option<(Texts<'_>, TokenUsage)> {
    let mut texts = Texts::of(body);
    let fields = Node::of(body)?.fields();
    let items = match format {
        WireFormat::Chat => fields.get("choices"),
        WireFormat::Responses => fields.get("output"),
        WireFormat::Messages => fields.get("content"),
    };
    let items = items.filter(|items| items.raw().starts_with('['))?.items();
    for item in items {
        match format {
            WireFormat::Chat => chat::choice(&mut texts, &item.fields()),
            WireFormat::Responses => responses::item(&mut texts, item),
            WireFormat::Messages => messages::block(&mut texts, messages::ANSWER, item),
        }
    }
    Some((texts, usage(format, fields.get("usage"))))
}

/// Returns the answer that stands for a blocked call.
pub fn refusal(format: WireFormat, refusal: &Refusal<'_>) -> Value {
    match format {
        WireFormat::Chat => chat::refusal(refusal),
        WireFormat::Responses => responses::refusal(refusal),
        WireFormat::Messages => messages::refusal(refusal),
    }
}

/// Returns the name of the end user in a request.
pub fn end_user(format: WireFormat, body: &Value) -> Option<&str> {
    match format {
        WireFormat::Messages => body["metadata"]["user_id"].as_str(),
        WireFormat::Chat | WireFormat::Responses => {
            ["safety_identifier", "user"].into_iter().find_map(|name| body[name].as_str())
        }
    }
}

/// Returns the error of a blocked call.
pub fn blocked(format: WireFormat, message: &str) -> Value {
    match format {
        WireFormat::Messages => anthropic_error(StatusCode::BAD_REQUEST, message),
        WireFormat::Chat | WireFormat::Responses => json!({ "error": {
            "message": message, "type": "invalid_request_error", "param": "prompt", "code": "content_filter",
        } }),
    }
}

/// Returns an error in the form of a format.
pub fn error(format: WireFormat, status: StatusCode, message: &str) -> Value {
    match format {
        WireFormat::Messages => anthropic_error(status, message),
        WireFormat::Chat | WireFormat::Responses => openai_error(status, message).1,
    }
}

/// Returns an error in Anthropic's form.
pub fn anthropic_error(status: StatusCode, message: &str) -> Value {
    json!({ "type": "error", "error": { "type": error_type(status), "message": message } })
}

/// Returns Anthropic's name of a kind of error.
fn error_type(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        503 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    }
}

#[cfg(test)]
mod tests;
