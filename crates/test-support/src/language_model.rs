//! Language models behind every wire format, played by servers of this process.

use serde_json::{Value, json};

use crate::{
    peers::{Peer, Seen},
    service::Running,
};

pub const KINDS: [&str; 5] = ["openai", "anthropic", "azure_openai", "gemini", "openai_compatible"];

/// A question that a model got.
#[derive(Clone, Debug)]
pub struct Asked {
    pub seen: Seen,
    pub body: Value,
    pub system: String,
    pub user: String,
}

impl Asked {
    /// The question in a request; `None` for a check.
    pub fn of(seen: &Seen) -> Option<Self> {
        let body: Value = serde_json::from_str(&seen.body).ok()?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let chat = || Some((text(&body["messages"][0]["content"])?, text(&body["messages"][1]["content"])?));
        let anthropic = || Some((text(&body["system"])?, text(&body["messages"][0]["content"])?));
        let gemini = || {
            let part = |content: &Value| text(&content["parts"][0]["text"]);
            Some((part(&body["systemInstruction"])?, part(&body["contents"][0])?))
        };
        let (system, user) = chat().or_else(anthropic).or_else(gemini)?;
        Some(Self { seen: seen.clone(), body, system, user })
    }

    /// What stands between the fences.
    pub fn data(&self) -> Value {
        serde_json::from_str(self.user.lines().nth(1).unwrap()).unwrap()
    }

    fn nonce(&self) -> &str {
        let after = self.system.split_once("\"nonce\": the string \"").unwrap().1;
        after.split_once('"').unwrap().0
    }

    /// The guardrails that are asked about.
    pub fn guardrails(&self) -> Vec<&str> {
        let after = self.system.split_once("an object with exactly the fields ").unwrap().1;
        after.split_once(", each a number").unwrap().0.split(", ").collect()
    }

    /// A judgement: these risks, and nothing else suspicious.
    pub fn judgement(&self, risks: &[(&str, f64)], reason: &str) -> Value {
        let risk = |name: &&str| risks.iter().find(|(about, _)| about == name).map_or(0.0, |(_, risk)| *risk);
        let risks: Value =
            self.guardrails().iter().map(|name| ((*name).to_owned(), json!(risk(name)))).collect();
        json!({ "nonce": self.nonce(), "risks": risks, "reason": reason })
    }
}

/// `text` as a provider of that type answers it.
pub fn said(kind: &str, text: &str) -> Value {
    match kind {
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

/// A model that answers questions so, and checks well.
pub async fn model(
    kind: &'static str,
    answers: impl Fn(&Asked) -> (u16, Value) + Send + Sync + 'static,
) -> Peer {
    Peer::start(move |seen| match Asked::of(seen) {
        Some(asked) => answers(&asked),
        None => (200, said(kind, "pong")),
    })
    .await
}

/// A model of the usual type that finds these risks.
pub async fn judge(risks: &'static [(&'static str, f64)]) -> Peer {
    model("openai_compatible", |asked| {
        (200, said("openai_compatible", &asked.judgement(risks, "so it seems").to_string()))
    })
    .await
}

/// The questions that a model got.
pub fn questions(peer: &Peer) -> Vec<Asked> {
    peer.seen().iter().filter_map(Asked::of).collect()
}

pub async fn near(set: &[(&str, &str)]) -> Running {
    let mut all =
        vec![("outgoing.allow_private", "true"), ("limits.analyze", "off"), ("limits.default", "off")];
    all.extend(set);
    Running::with(&all).await
}

/// A connector of that type to a server at that address.
pub async fn connector(service: &Running, token: &str, kind: &str, url: &str, more: &Value) -> String {
    let mut body = json!({ "name": format!("{kind} {more}"), "api_key": "k-1" });
    let own = match kind {
        "azure_openai" => json!({ "endpoint": url, "deployment": "m" }),
        _ => json!({ "base_url": url, "model": "m" }),
    };
    for fields in [&own, more] {
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    }
    let made = service.post_json(token, &format!("/api/connectors/{kind}"), &body).await;
    assert_eq!(made.status, 200, "{}", made.body);
    made.text("id")
}
