//! Webhook messages, signed according to Standard Webhooks (<https://www.standardwebhooks.com>, version 1.0.0): the
//! receiver computes HMAC-SHA-256 over `id.timestamp.body` and refuses old timestamps.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_egress::Request;
use guardengine_store::{Timestamp, new_id};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::connectors::OpenConnector;

/// Builds a new message with a new id, sent at `now`.
pub fn signed(webhook: &OpenConnector, kind: &str, data: &Value, now: Timestamp) -> Request {
    message(webhook, &format!("msg_{}", new_id(now).simple()), kind, data, now)
}

/// Builds the message `id`, sent at `now`. A message keeps its id when it is sent again.
pub fn message(webhook: &OpenConnector, id: &str, kind: &str, data: &Value, now: Timestamp) -> Request {
    let body = json!({ "type": kind, "timestamp": now, "data": data }).to_string();
    with_body(webhook, id, body, now)
}

/// Builds the message `id` with a finished body, sent at `now`.
pub fn with_body(webhook: &OpenConnector, id: &str, body: String, now: Timestamp) -> Request {
    let signature = signature(webhook.text("secret"), id, now.seconds(), &body);
    Request::post(webhook.stored.id, webhook.text("url"), body)
        .header("webhook-id", id)
        .header("webhook-timestamp", now.seconds().to_string())
        .header("webhook-signature", signature)
}

fn signature(secret: &str, id: &str, seconds: i64, body: &str) -> String {
    let decoded = secret.strip_prefix("whsec_").and_then(|rest| BASE64_STANDARD.decode(rest).ok());
    let key = decoded.unwrap_or_else(|| secret.as_bytes().to_vec());
    // HMAC accepts keys of any length, so this never fails.
    let digest = Hmac::<Sha256>::new_from_slice(&key).map(|mut hmac| {
        hmac.update(format!("{id}.{seconds}.{body}").as_bytes());
        BASE64_STANDARD.encode(hmac.finalize().into_bytes())
    });
    format!("v1,{}", digest.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_the_example_of_the_specification() {
        // Example from the specification and its reference libraries' tests.
        let (secret, id) = ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek");
        let signature = signature(secret, id, 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
