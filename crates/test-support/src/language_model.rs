//! Language models behind the wire format of every provider.

use serde_json::{Value, json};

use crate::fake_server::{FakeServer, ReceivedRequest};

/// Connector types of language models.
pub const PROVIDERS: [&str; 5] = ["openai", "anthropic", "azure_openai", "gemini", "openai_compatible"];

/// A request for a second opinion.
#[derive(Clone, Debug)]
pub struct Question {
    /// The request.
    pub request: ReceivedRequest,
    /// System message.
    pub system: String,
    /// User message.
    pub user: String,
}

impl Question {
    /// Reads the question in a request. `None` for a health check.
    pub fn from_request(request: &ReceivedRequest) -> Option<Self> {
        let body = &request.json;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let chat = || Some((text(&body["messages"][0]["content"])?, text(&body["messages"][1]["content"])?));
        let anthropic = || Some((text(&body["system"])?, text(&body["messages"][0]["content"])?));
        let gemini = || {
            let part = |content: &Value| text(&content["parts"][0]["text"]);
            Some((part(&body["systemInstruction"])?, part(&body["contents"][0])?))
        };
        let (system, user) = chat().or_else(anthropic).or_else(gemini)?;
        Some(Self { request: request.clone(), system, user })
    }

    /// Returns the untrusted data between the delimiters.
    pub fn data(&self) -> Value {
        serde_json::from_str(self.user.lines().nth(1).unwrap()).unwrap()
    }

    fn nonce(&self) -> &str {
        let after = self.system.split_once("\"nonce\": the string \"").unwrap().1;
        after.split_once('"').unwrap().0
    }

    /// Returns the guardrails that the model is asked about.
    pub fn guardrails(&self) -> Vec<&str> {
        let after = self.system.split_once("an object with exactly the fields ").unwrap().1;
        after.split_once(", each a number").unwrap().0.split(", ").collect()
    }

    /// Returns a valid opinion with these risks. The risk of every other guardrail is zero.
    pub fn opinion(&self, risks: &[(&str, f64)], reason: &str) -> Value {
        let risk = |name: &&str| risks.iter().find(|(about, _)| about == name).map_or(0.0, |(_, risk)| *risk);
        let risks: Value =
            self.guardrails().iter().map(|name| ((*name).to_owned(), json!(risk(name)))).collect();
        json!({ "nonce": self.nonce(), "risks": risks, "reason": reason })
    }
}

/// Returns `text` as a completion in the format of `provider`.
pub fn completion(provider: &str, text: &str) -> Value {
    match provider {
        "anthropic" => json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m",
            "content": [{ "type": "text", "text": text }],
            "stop_reason": "end_turn", "stop_sequence": null, "usage": { "input_tokens": 1, "output_tokens": 1 },
        }),
        "gemini" => {
            let content = json!({ "role": "model", "parts": [{ "text": text }] });
            json!({ "candidates": [{ "content": content, "finishReason": "STOP", "index": 0 }], "modelVersion": "m" })
        }
        _ => {
            let message = json!({ "role": "assistant", "content": text, "refusal": null });
            let choice = json!({ "index": 0, "message": message, "logprobs": null, "finish_reason": "stop" });
            json!({ "id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice] })
        }
    }
}

/// Starts a model that responds to questions with what `respond` returns and passes health checks.
pub async fn start(
    provider: &'static str,
    respond: impl Fn(&Question) -> (u16, Value) + Send + Sync + 'static,
) -> FakeServer {
    FakeServer::start(move |request| match Question::from_request(request) {
        Some(question) => respond(&question),
        None => (200, completion(provider, "pong")),
    })
    .await
}

/// Starts an `openai_compatible` model whose opinion always has these risks.
pub async fn start_with_risks(risks: &'static [(&'static str, f64)]) -> FakeServer {
    start("openai_compatible", |question| {
        (200, completion("openai_compatible", &question.opinion(risks, "so it seems").to_string()))
    })
    .await
}

/// Returns the questions that a model received.
pub fn questions(model: &FakeServer) -> Vec<Question> {
    model.requests().iter().filter_map(Question::from_request).collect()
}
