//! Alert rules, with a fake mail server and a fake Slack.

mod messages;
mod settings;

use std::time::Duration;

use guardengine_test_support::{
    fake_mail::FakeMailServer,
    fake_server::{FakeServer, ReceivedRequest},
    poll::until,
};
use serde_json::{Value, json};

use crate::support::{Response, TestService};

const PATH: &str = "/api/alerts";

/// A service with a connector for Slack and one for e-mail.
struct Watched {
    service: TestService,
    token: String,
    chat: FakeServer,
    mail: FakeMailServer,
    slack: String,
    smtp: String,
}

impl Watched {
    async fn start() -> Self {
        Self::with(|_| (200, json!({}))).await
    }

    /// `chat` answers the messages to Slack.
    async fn with(chat: impl Fn(&ReceivedRequest) -> (u16, Value) + Send + Sync + 'static) -> Self {
        let service = TestService::with_fake_servers(&[]).await;
        let (chat, mail) = (FakeServer::start(chat).await, FakeMailServer::start().await);
        let token = service.owner().await;
        let made = async |kind: &str, body: Value| {
            let made = service.post_json(&token, &format!("/api/connectors/{kind}"), &body).await;
            assert_eq!(made.status, 200, "{}", made.body);
            made.text("id")
        };
        let url = format!("{}/services/T/B/secret", chat.url);
        let slack = made("slack", json!({ "name": "chat", "url": url })).await;
        let smtp = smtp(&mail);
        let smtp = made("smtp", smtp).await;
        Self { service, token, chat, mail, slack, smtp }
    }

    async fn create(&self, body: &Value) -> String {
        let made = self.service.post_json(&self.token, PATH, body).await;
        assert_eq!(made.status, 200, "{}", made.body);
        made.text("alert_id")
    }

    /// Creates a rule for a low balance with both channels.
    async fn credits_low(&self, balance: i64) -> String {
        self.create(&json!({
            "name": "Credits <low>",
            "condition": { "type": "credits_low", "balance": balance },
            "channels": [self.slack, self.smtp],
            "recipients": ["ann@example.com"],
            "cooldown_minutes": 5,
        }))
        .await
    }

    async fn alert(&self, id: &str) -> Value {
        self.service.get(&self.token, &format!("{PATH}/{id}")).await.body
    }

    /// Evaluates the rules a minute later.
    async fn evaluate(&self) {
        self.service.clock.advance(Duration::from_mins(1));
        self.service.evaluate_alerts().await;
    }

    async fn set_credits(&self, credits: i64) {
        let (org, now) = (self.service.org_id().await, self.service.clock.now());
        self.service.change(async |tx| tx.set_credits(org, credits, 0, now).await).await;
    }

    /// Returns the messages of a rule once none is queued, newest first.
    async fn delivered(&self, id: &str) -> Vec<Value> {
        let path = format!("{PATH}/{id}/deliveries");
        until("every message is delivered", async || {
            let page = self.service.get(&self.token, &path).await.body;
            let messages = page["deliveries"].as_array().unwrap().clone();
            messages.iter().all(|message| message["status"] != "queued").then_some(messages)
        })
        .await
    }

    async fn event_types(&self) -> Vec<String> {
        let page = self.service.get(&self.token, "/api/events").await.body;
        let types = page["events"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap());
        types.filter(|name| name.starts_with("alert.")).map(str::to_owned).collect()
    }

    async fn test(&self, id: &str) -> Response {
        self.service.post_json(&self.token, &format!("{PATH}/{id}/test"), &json!({})).await
    }
}

fn smtp(mail: &FakeMailServer) -> Value {
    json!({ "name": "mail", "host": "127.0.0.1", "port": mail.port.to_string(), "from": "guard@example.com" })
}
