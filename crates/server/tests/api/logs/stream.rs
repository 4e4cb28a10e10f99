use std::time::Duration;

use guardengine_store::{DecisionRecord, LogEntry, new_id};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use tokio::time::timeout;
use uuid::Uuid;

use crate::{
    logs::list::{analyze, unlimited},
    support::{TestService, send},
};

const SOON: Duration = Duration::from_secs(10);

/// Writes entries directly to the store, as another process would. Each is older than the previous one.
pub async fn commit(service: &TestService, org_id: Uuid, usernames: impl Iterator<Item = String>) {
    let now = service.clock.now();
    let row = |(age, username): (usize, String)| {
        let created_at = now - Duration::from_millis(age as u64);
        let log = LogEntry {
            org_id,
            id: new_id(created_at),
            created_at,
            endpoint: "analyze".into(),
            direction: "input".into(),
            project_id: None,
            project_name: None,
            policy_id: None,
            policy_version: None,
            decision: "allow".into(),
            shadow_decision: None,
            outcome: "allowed".into(),
            triggered_guardrails: "[]".into(),
            confidence: 0.9,
            safety_score: 99,
            risk_level: "no_risk".into(),
            reason: None,
            source_app: None,
            context: None,
            device_id: None,
            username: Some(username),
            principal: "user:admin".into(),
            user_id: None,
            conversation_id: None,
            text: None,
            lang_code: None,
            processing_time_ms: 1,
            credits: 0,
            correlation_id: "c".into(),
            model_version: "1".into(),
            feedback: None,
            surface: "native".into(),
            foreign_id: None,
            prompt_tokens: None,
            completion_tokens: None,
            upstream_time_ms: None,
        };
        DecisionRecord::of(log, "analyze")
    };
    let rows: Vec<_> = usernames.enumerate().map(row).collect();
    service.db.commit_decisions(&rows).await.unwrap();
}

/// An open event stream.
pub struct Stream {
    response: Response,
    read: String,
}

impl Stream {
    async fn open(service: &TestService, token: &str, query: &str, last: Option<&str>) -> Self {
        Self::at(service, token, &format!("/api/logs/stream{query}"), last).await
    }

    pub async fn at(service: &TestService, token: &str, path: &str, last: Option<&str>) -> Self {
        let request = service.request(Method::GET, path).bearer_auth(token);
        let request = last.iter().fold(request, |request, last| request.header("Last-Event-ID", *last));
        let response = request.send().await.unwrap();
        assert_eq!(response.status().as_u16(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, read: String::new() }
    }

    /// Returns the id and data of the next event, or `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some((event, rest)) = self.read.split_once("\n\n") {
                let field =
                    |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
                let found = field("id: ").zip(field("data: "));
                let rest = rest.to_owned();
                self.read = rest;
                if let Some((id, data)) = found {
                    return Some((id, serde_json::from_str(&data).unwrap()));
                }
                continue;
            }
            let chunk = timeout(SOON, self.response.chunk()).await.expect("an event or the end").ok()??;
            self.read.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    async fn usernames(&mut self, count: usize) -> Vec<String> {
        let mut names = Vec::new();
        for _ in 0..count {
            names.push(self.next().await.expect("an event").1["username"].as_str().unwrap().to_owned());
        }
        names
    }
}

#[tokio::test]
async fn new_entries_are_sent_in_commit_order() {
    let service = unlimited().await;
    let token = service.owner().await;
    let org = service.org_id().await;
    analyze(&service, &token, &json!({ "prompt": "before", "username": "before" })).await;
    let mut stream = Stream::open(&service, &token, "", None).await;
    analyze(&service, &token, &json!({ "prompt": "own", "username": "own" })).await;
    // Their ids are older, their commits are newer.
    commit(&service, org, ["late", "later"].into_iter().map(str::to_owned)).await;
    assert_eq!(stream.usernames(3).await, ["own", "late", "later"]);
}

#[tokio::test]
async fn a_stream_continues_after_the_last_event_id() {
    let service = unlimited().await;
    let token = service.owner().await;
    let mut stream = Stream::open(&service, &token, "", None).await;
    for name in ["a", "b", "c"] {
        analyze(&service, &token, &json!({ "prompt": "x", "username": name })).await;
    }
    let (id, row) = stream.next().await.unwrap();
    assert_eq!((id.as_str(), &row["username"]), ("1", &json!("a")));
    drop(stream);
    assert_eq!(Stream::open(&service, &token, "", Some("1")).await.usernames(2).await, ["b", "c"]);
    for bad in ["x", "-1", "9"] {
        let request = service.request(Method::GET, "/api/logs/stream").bearer_auth(&token);
        send(request.header("Last-Event-ID", bad))
            .await
            .refuses(422, "Last-Event-ID: must be the id of an earlier event");
    }
}

#[tokio::test]
async fn a_stream_sends_what_matches_the_filters_and_is_visible_to_its_reader() {
    let service = unlimited().await;
    let (owner, developer) = (service.owner().await, service.member("dev", "developer").await);
    let mut janes = Stream::open(&service, &owner, "?username=jane", None).await;
    let mut hers = Stream::open(&service, &developer, "", None).await;
    for (token, name) in [(&owner, "joe"), (&owner, "jane"), (&developer, "dora")] {
        analyze(&service, token, &json!({ "prompt": "x", "username": name })).await;
    }
    assert_eq!(janes.usernames(1).await, ["jane"]);
    assert_eq!(hers.usernames(1).await, ["dora"]);
}

#[tokio::test]
async fn a_late_reader_catches_up_completely() {
    let service = unlimited().await;
    let token = service.owner().await;
    let org = service.org_id().await;
    let names: Vec<_> = (0..1_100).map(|number| format!("u{number}")).collect();
    commit(&service, org, names.iter().cloned()).await;
    let caught_up = async { Stream::open(&service, &token, "", Some("0")).await.usernames(1_100).await };
    assert_eq!(timeout(SOON, caught_up).await.expect("without a pause between pages"), names);
}

#[tokio::test]
async fn a_stream_ends_with_its_session() {
    let service = unlimited().await;
    let signed_in = service.sign_in("admin", crate::support::PASSWORD).await;
    let token = signed_in.text("access_token");
    let mut stream = Stream::open(&service, &token, "", None).await;
    let body = json!({ "refresh_token": signed_in.text("refresh_token") });
    assert_eq!(service.post_json(&token, "/logout", &body).await.status, 200);
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn a_stream_ends_with_its_key() {
    let service = unlimited().await;
    let token = service.owner().await;
    let key = send(service.post("/api-keys/create?name=tail").bearer_auth(&token)).await;
    let request = service.request(Method::GET, "/api/logs/stream").header("X-API-Key", key.text("api_key"));
    let mut stream = Stream { response: request.send().await.unwrap(), read: String::new() };
    let path = format!("/api-keys/{}", key.text("key_id"));
    assert_eq!(send(service.request(Method::DELETE, &path).bearer_auth(&token)).await.status, 200);
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn a_stream_does_not_delay_a_stop() {
    let service = unlimited().await;
    let token = service.owner().await;
    let mut stream = Stream::open(&service, &token, "", None).await;
    let restarted = timeout(SOON, service.restarted()).await.expect("it stops at once");
    assert_eq!(stream.next().await, None);
    drop(restarted);
}

#[tokio::test]
async fn the_number_of_streams_of_an_organization_is_limited() {
    let service = unlimited().await;
    let token = service.owner().await;
    let mut streams = Vec::new();
    for _ in 0..16 {
        streams.push(Stream::open(&service, &token, "", None).await);
    }
    let refused = send(service.request(Method::GET, "/api/logs/stream").bearer_auth(&token)).await;
    refused.refuses(503, "too many log streams are open, close one or try again later");
}
