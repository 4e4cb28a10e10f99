//! Responses, with assertions and snapshots.

use std::fmt::Write as _;

use guardengine_store::Timestamp;
use reqwest::{RequestBuilder, header::HeaderMap};
use serde_json::{Value, json};
use uuid::Uuid;

/// Headers that snapshots show when a response has them, unless they are those of every answer.
const SHOWN_HEADERS: [&str; 7] = [
    "allow",
    "cache-control",
    "content-disposition",
    "content-type",
    "location",
    "retry-after",
    "www-authenticate",
];

/// Fields that differ from run to run. Identifiers and times are recognized by their form instead.
const REDACTED_FIELDS: [&str; 13] = [
    "access_token",
    "api_key",
    "challenge_token",
    "hash",
    "key_prefix",
    "model_version",
    "p50",
    "p95",
    "p99",
    "pre_auth_token",
    "previous_hash",
    "processing_time_ms",
    "refresh_token",
];

/// A response with a JSON body; null when the body is not JSON.
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Value,
}

/// Sends a request and reads the whole response.
pub async fn send(request: RequestBuilder) -> Response {
    let response = request.send().await.expect("a response");
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let bytes = response.bytes().await.expect("a whole response");
    Response { status, headers, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null) }
}

impl Response {
    /// Returns a text field of the body.
    pub fn text(&self, field: &str) -> String {
        self.body[field].as_str().unwrap_or_else(|| panic!("no text {field} in {}", self.body)).to_owned()
    }

    /// Returns a header.
    pub fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    /// Asserts that the response is this error.
    #[track_caller]
    pub fn refuses(&self, status: u16, detail: &str) {
        assert_eq!((self.status, self.body.clone()), (status, json!({ "detail": detail })));
    }

    /// Renders status, headers and body, with placeholders for values that differ from run to run.
    pub fn snapshot(&self) -> String {
        let mut text = format!("HTTP {}\n", self.status);
        for name in SHOWN_HEADERS {
            let value = self.headers.get(name).map(|value| value.to_str().unwrap());
            if let Some(value) = value.filter(|value| !["application/json", "no-store"].contains(value)) {
                writeln!(text, "{name}: {value}").unwrap();
            }
        }
        text + &format!("{:#}", redacted(&self.body))
    }
}

fn redacted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let redact = |(name, value): (&String, &Value)| {
                let is_hidden = REDACTED_FIELDS.contains(&name.as_str()) || name.ends_with("latency_ms");
                // A stage that took no time is left out.
                let is_hidden = is_hidden && (value.is_string() || value.is_number()) || name == "timing";
                (name.clone(), if is_hidden { json!(format!("[{name}]")) } else { redacted(value) })
            };
            fields.iter().map(redact).collect()
        }
        Value::Array(items) => items.iter().map(redacted).collect(),
        Value::String(text) if text.parse::<Timestamp>().is_ok() => json!("[time]"),
        Value::String(text) => json!(without_port(&without_ids(text))),
        other => other.clone(),
    }
}

/// Replaces identifiers within a text.
fn without_ids(text: &str) -> String {
    let words = text.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    let is_id = |word: &str| word.len() == 36 && Uuid::try_parse(word).is_ok();
    words
        .map(|word| match word.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric()) {
            id if is_id(id) => word.replace(id, "[id]"),
            _ => word.to_owned(),
        })
        .collect()
}

/// Replaces the port of an address of this machine.
fn without_port(text: &str) -> String {
    let Some((before, after)) = text.split_once("127.0.0.1:") else { return text.to_owned() };
    format!("{before}127.0.0.1:[port]{}", after.trim_start_matches(|digit: char| digit.is_ascii_digit()))
}
