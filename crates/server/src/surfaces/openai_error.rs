//! Errors in OpenAI's form, which many other clients read, too.

use axum::http::StatusCode;
use serde_json::{Value, json};

/// Returns an error as OpenAI's API answers it. What a field lacks is 400 there.
pub fn openai_error(status: StatusCode, detail: &str) -> (StatusCode, Value) {
    let (status, kind, code) = match status {
        StatusCode::UNAUTHORIZED => (status, "invalid_request_error", Some("invalid_api_key")),
        StatusCode::TOO_MANY_REQUESTS => (status, "requests", Some("rate_limit_exceeded")),
        StatusCode::UNPROCESSABLE_ENTITY => (StatusCode::BAD_REQUEST, "invalid_request_error", None),
        status if status.is_server_error() => (status, "server_error", None),
        status => (status, "invalid_request_error", None),
    };
    (status, json!({ "error": { "message": detail, "type": kind, "param": null, "code": code } }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_those_that_clients_of_openai_know() {
        for (ours, theirs, kind, code) in [
            (401, 401, "invalid_request_error", json!("invalid_api_key")),
            (403, 403, "invalid_request_error", json!(null)),
            (422, 400, "invalid_request_error", json!(null)),
            (429, 429, "requests", json!("rate_limit_exceeded")),
            (503, 503, "server_error", json!(null)),
        ] {
            let (status, body) = openai_error(StatusCode::from_u16(ours).unwrap(), "why");
            assert_eq!(status.as_u16(), theirs);
            let expected = json!({ "message": "why", "type": kind, "param": null, "code": code });
            assert_eq!(body["error"], expected, "{ours}");
        }
    }
}
