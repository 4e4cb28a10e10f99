//! Tickets, from the decision to the ticket system.

mod retries;

use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_test_support::ticketing::FakeTicketSystem;
use hmac::{Hmac, KeyInit as _, Mac as _};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::support::{
    Response, TestService,
    tickets::{wait_for_attempts, wait_for_status},
};

const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";
const HOUR: Duration = Duration::from_hours(1);
const ISSUE: &str = "/rest/api/3/issue";
const SEARCH: &str = "/rest/api/3/search/jql";
const INCIDENT: &str = "/api/now/table/incident";

/// A service with a project whose policy creates tickets.
struct Guarded {
    service: TestService,
    desk: FakeTicketSystem,
    connector: String,
    project: String,
}

impl Guarded {
    async fn jira(ticket: Value, set: &[(&str, &str)]) -> Self {
        let desk = FakeTicketSystem::jira().await;
        let fields = json!({
            "name": "desk", "base_url": desk.url, "email": "bot@example.com", "api_token": "jira-secret",
            "project_key": "ED",
        });
        Self::at(desk, "jira", fields, ticket, set).await
    }

    async fn servicenow(ticket: Value) -> Self {
        let desk = FakeTicketSystem::servicenow().await;
        let fields = json!({
            "name": "desk", "instance_url": desk.url, "username": "bot", "password": "snow secret",
        });
        Self::at(desk, "servicenow", fields, ticket, &[]).await
    }

    async fn webhook(ticket: Value) -> Self {
        let desk = FakeTicketSystem::webhook().await;
        let fields = json!({ "name": "desk", "url": format!("{}/hook?a=b", desk.url), "secret": "shared-by-both-sides" });
        Self::at(desk, "webhook", fields, ticket, &[]).await
    }

    async fn at(
        desk: FakeTicketSystem,
        kind: &str,
        fields: Value,
        mut ticket: Value,
        set: &[(&str, &str)],
    ) -> Self {
        let own = [("outgoing.allow_private", "true"), ("limits.token", "off"), ("limits.autonomous", "off")];
        let service = TestService::with(&[&own, set].concat()).await;
        let token = service.owner().await;
        let connector =
            service.post_json(&token, &format!("/api/connectors/{kind}"), &fields).await.text("id");
        ticket["connector_id"] = json!(connector);
        let item = json!({
            "guardrail": "custom_regex", "patterns": [{ "name": "project", "pattern": "aurora" }], "ticket": ticket,
        });
        let policy = json!({ "policyName": "support desk", "guardrails": [item] });
        let project = service.project_with(&token, &policy).await;
        Self { service, desk, connector, project }
    }

    /// Returns a token that is valid at the current time of the clock.
    async fn token(&self) -> String {
        self.service.owner().await
    }

    async fn decide(&self, username: &str) -> Response {
        let prompt = json!({
            "prompt": "Tell ann.lee@example.com about aurora", "projectId": self.project, "username": username,
        });
        self.service.post_json(&self.token().await, "/api/autonomous/analyze", &prompt).await
    }

    /// Evaluates a prompt of a user and returns the id of its ticket.
    async fn asked(&self, username: &str) -> String {
        let decided = self.decide(username).await;
        decided.body["soarTickets"][0]["ticket_id"]
            .as_str()
            .unwrap_or_else(|| panic!("{}", decided.body))
            .to_owned()
    }

    async fn reaches(&self, id: &str, status: &str) -> Value {
        wait_for_status(&self.service, &self.token().await, id, status).await
    }

    async fn tried(&self, id: &str, attempts: u64) -> Value {
        wait_for_attempts(&self.service, &self.token().await, id, attempts).await
    }

    fn made(&self) -> usize {
        self.desk.records().tickets.len()
    }

    fn comments(&self) -> Vec<usize> {
        self.desk.records().tickets.iter().map(|ticket| ticket.comments.len()).collect()
    }

    async fn retried(&self, id: &str) -> Response {
        self.service.post_json(&self.token().await, &format!("/api/tickets/{id}/retry"), &json!({})).await
    }
}

fn reference(id: &str) -> String {
    format!("guardengine-{}", id.replace('-', ""))
}

#[tokio::test]
async fn an_autonomous_decision_raises_an_issue_in_jira() {
    let template = json!({
        "title": "{guardrail} by {username} in {projectName}", "priority": "High", "labels": ["ai", "{severity}"],
        "fields": { "customfield_10010": { "value": "{decision} {device_id}" } },
    });
    let guarded = Guarded::jira(template, &[]).await;
    let decided = guarded.decide("zoe").await;
    let item = &decided.body["soarTickets"][0];
    let id = item["ticket_id"].as_str().unwrap();
    let queued = json!({
        "ticket_id": id, "connector_id": guarded.connector, "system": "jira", "key": null, "url": null,
        "status": "queued",
    });
    assert_eq!((item, decided.text("decision").as_str()), (&queued, "BLOCK"));

    let sent = guarded.reaches(id, "sent").await;
    assert_eq!(sent["url"], format!("{}/browse/ED-1", guarded.desk.url));
    assert_eq!(sent["log_id"], decided.body["log_id"]);
    let path = format!("/api/tickets/{id}");
    assert_snapshot!(guarded.service.get(&guarded.token().await, &path).await.snapshot(), @r#"
    HTTP 200
    {
      "attempts": 1,
      "comments_on": null,
      "connector_id": "[id]",
      "created_at": "[time]",
      "guardrail": "custom_regex",
      "key": "ED-1",
      "last_error": null,
      "log_id": "[id]",
      "next_attempt_at": null,
      "projectId": "[id]",
      "status": "sent",
      "system": "jira",
      "ticket_id": "[id]",
      "title": "custom_regex by zoe in support desk",
      "updated_at": "[time]",
      "url": "http://127.0.0.1:[port]/browse/ED-1"
    }
    "#);
    let records = guarded.desk.records();
    let request = records.requests.iter().find(|request| request.is(&Method::POST, ISSUE)).unwrap();
    let basic = BASE64_STANDARD.encode("bot@example.com:jira-secret");
    assert_eq!(request.header("authorization"), format!("Basic {basic}"));
    assert_eq!(request.header("content-type"), "application/json");
    let fields = &records.tickets[0].sent;
    assert_eq!(fields["summary"], "custom_regex by zoe in support desk");
    assert_eq!(fields["priority"], json!({ "name": "High" }));
    assert_eq!(fields["labels"], json!(["ai", "high", reference(id)]));
    assert_eq!(fields["customfield_10010"], json!({ "value": "block -" }));
    let description = fields["description"].to_string();
    for reported in
        ["End user: zoe", "Project: support desk", "Tell [EMAIL_REDACTED] about aurora", &reference(id)]
    {
        assert!(description.contains(reported), "{reported}: {description}");
    }
    assert!(!description.contains("ann.lee@example.com"), "{description}");
}

#[tokio::test]
async fn a_servicenow_record_has_the_fields_of_the_template() {
    let guarded =
        Guarded::servicenow(json!({ "fields": { "impact": "2", "category": "{guardrail}" } })).await;
    let id = guarded.asked("zoe").await;
    let sent = guarded.reaches(&id, "sent").await;
    assert_eq!((&sent["key"], &sent["system"]), (&json!("INC0000001"), &json!("servicenow")));
    assert_eq!(sent["url"], format!("{}/incident.do?sys_id={:032x}", guarded.desk.url, 0));
    let records = guarded.desk.records();
    let record = &records.tickets[0].sent;
    assert_eq!(record["short_description"], "guardengine: custom_regex, severity high, decision block");
    assert_eq!((&record["impact"], &record["category"]), (&json!("2"), &json!("custom_regex")));
    assert_eq!(
        (&record["correlation_id"], &record["correlation_display"]),
        (&json!(reference(&id)), &json!("guardengine"))
    );
    let description = record["description"].as_str().unwrap();
    assert!(description.contains("Tell [EMAIL_REDACTED] about aurora"), "{description}");
    assert!(description.chars().count() <= 4000);
}

#[tokio::test]
async fn a_webhook_is_signed_and_carries_its_idempotency_key() {
    let guarded = Guarded::webhook(json!({ "labels": ["ai"], "fields": { "team": "red" } })).await;
    let id = guarded.asked("zoe").await;
    let sent = guarded.reaches(&id, "sent").await;
    assert_eq!((&sent["key"], &sent["url"]), (&json!("SEC-7"), &json!("https://desk.example/SEC-7")));
    let records = guarded.desk.records();
    let request = records.requests.iter().find(|request| request.json["type"] == "ticket.raised").unwrap();
    assert_eq!(
        (request.path.as_str(), request.header("idempotency-key")),
        ("/hook?a=b", reference(&id).as_str())
    );
    let (message, at) = (request.header("webhook-id"), request.header("webhook-timestamp"));
    assert_eq!(message, format!("msg_{}", id.replace('-', "")));
    let mut signature = Hmac::<Sha256>::new_from_slice(b"shared-by-both-sides").unwrap();
    signature.update(format!("{message}.{at}.").as_bytes());
    signature.update(&request.bytes);
    let signature = BASE64_STANDARD.encode(signature.finalize().into_bytes());
    assert_eq!(request.header("webhook-signature"), format!("v1,{signature}"));
    let data = &request.json["data"];
    assert_eq!((&data["ticket_id"], &data["facts"]["username"]), (&json!(id), &json!("zoe")));
    assert_eq!((&data["labels"], &data["fields"]), (&json!(["ai"]), &json!({ "team": "red" })));
}

#[tokio::test]
async fn similar_decisions_within_the_window_comment_on_the_open_ticket() {
    let guarded = Guarded::jira(json!({}), &[]).await;
    let first = guarded.asked("zoe").await;
    guarded.reaches(&first, "sent").await;
    let second = guarded.asked("zoe").await;
    let commented = guarded.reaches(&second, "commented").await;
    assert_eq!((&commented["comments_on"], &commented["key"]), (&json!(first), &json!("ED-1")));
    let other = guarded.asked("bob").await;
    guarded.reaches(&other, "sent").await;
    assert_eq!(guarded.comments(), [1, 0]);

    guarded.service.clock.advance(HOUR + Duration::from_secs(1));
    let later = guarded.asked("zoe").await;
    assert_eq!(guarded.reaches(&later, "sent").await["key"], "ED-3");
}

#[tokio::test]
async fn nothing_comments_on_a_ticket_that_is_closed_or_gone() {
    for guarded in [Guarded::jira(json!({}), &[]).await, Guarded::servicenow(json!({})).await] {
        let first = guarded.asked("zoe").await;
        guarded.reaches(&first, "sent").await;
        guarded.desk.records().tickets[0].is_closed = true;
        let second = guarded.asked("zoe").await;
        assert_eq!(guarded.reaches(&second, "sent").await["comments_on"], Value::Null);
        assert_eq!(guarded.comments(), [0, 0]);
        let third = guarded.asked("zoe").await;
        assert_eq!(guarded.reaches(&third, "commented").await["comments_on"], json!(second));
        guarded.desk.records().tickets.clear();
        let fourth = guarded.asked("zoe").await;
        guarded.reaches(&fourth, "sent").await;
        assert_eq!(guarded.comments(), [0]);
    }
}

#[tokio::test]
async fn analyze_and_validate_create_tickets_and_a_webhook_gets_each() {
    let guarded = Guarded::webhook(json!({})).await;
    let (service, token) = (&guarded.service, guarded.token().await);
    let prompt = json!({ "prompt": "aurora", "projectId": guarded.project, "username": "zoe" });
    assert_eq!(service.post_json(&token, ANALYZE, &prompt).await.status, 200);
    // Lists are ordered by time, and the clock of the test stands still.
    service.clock.advance(Duration::from_secs(1));
    let response = json!({ "response": "aurora", "projectId": guarded.project });
    let answer = service.post_json(&token, "/v2/guardengine/svc_firewall_validate", &response).await;
    assert_eq!(answer.status, 200);
    service.clock.advance(Duration::from_secs(1));
    assert_eq!(service.post_json(&token, ANALYZE, &prompt).await.status, 200);
    let listed = service.get(&token, "/api/tickets").await.body;
    let listed = listed["tickets"].as_array().unwrap();
    let ids: Vec<_> = listed.iter().map(|one| one["ticket_id"].as_str().unwrap()).collect();
    for (id, status) in ids.iter().zip(["commented", "sent", "sent"]) {
        guarded.reaches(id, status).await;
    }
    let records = guarded.desk.records();
    let comment = records.requests.iter().find(|request| request.json["type"] == "ticket.commented").unwrap();
    assert_eq!(
        (&comment.json["data"]["ticket_id"], comment.header("webhook-id")),
        (&json!(ids[2]), format!("msg_{}", ids[0].replace('-', "")).as_str())
    );
}

#[tokio::test]
async fn a_ticket_has_no_text_when_the_project_stores_none() {
    let guarded = Guarded::webhook(json!({})).await;
    let path = format!("/api/project/{}", guarded.project);
    let token = guarded.token().await;
    assert_eq!(guarded.service.put_json(&token, &path, &json!({ "log_content": "none" })).await.status, 200);
    let id = guarded.asked("zoe").await;
    guarded.reaches(&id, "sent").await;
    let records = guarded.desk.records();
    let sent = &records.tickets[0].sent;
    assert_eq!(sent["data"]["text"], Value::Null);
    assert!(!sent.to_string().contains("Tell "), "{sent}");
}

#[tokio::test]
async fn a_policy_is_refused_for_the_field_of_its_ticket() {
    let guarded = Guarded::jira(json!({}), &[]).await;
    let token = guarded.token().await;
    let snow =
        json!({ "name": "snow", "instance_url": "https://a.example", "username": "a", "password": "b" });
    let snow = guarded.service.post_json(&token, "/api/connectors/servicenow", &snow).await.text("id");
    for (connector, more, reported) in [
        (&guarded.connector, json!({ "title": "{prompt}" }), "title: may use braces only for {guardrail}, "),
        (&guarded.connector, json!({ "fields": { "summary": "x" } }), "fields.summary: must not be set"),
        (&snow, json!({ "labels": ["a"] }), "labels: must be empty: ServiceNow has no labels"),
        (&snow, json!({ "fields": { "work_notes": "x" } }), "fields.work_notes: must not be set"),
        (&guarded.project, json!({}), "connector_id: must be a ticket connector of the organisation"),
    ] {
        let mut ticket = more;
        ticket["connector_id"] = json!(connector);
        let policy = json!({ "policyName": "b", "guardrails": [{ "guardrail": "pii", "ticket": ticket }] });
        let refused = guarded.service.post_json(&token, "/api/policy/create", &policy).await;
        let reported = format!("guardrails.0.ticket.{reported}");
        assert_eq!(refused.status, 422);
        assert!(refused.text("detail").starts_with(&reported), "{reported} {}", refused.body);
    }
}

#[tokio::test]
async fn members_see_the_tickets_of_their_projects_and_strangers_none() {
    let guarded = Guarded::webhook(json!({})).await;
    let id = guarded.asked("zoe").await;
    let (service, path) = (&guarded.service, format!("/api/tickets/{id}"));
    let (viewer, stranger) = (service.member("vera", "viewer").await, service.stranger().await);
    service.get(&viewer, &path).await.refuses(404, "ticket not found");
    service.get(&stranger, &path).await.refuses(404, "ticket not found");
    for token in [&viewer, &stranger] {
        assert_eq!(
            service.get(token, "/api/tickets").await.body,
            json!({ "tickets": [], "next_cursor": null })
        );
    }
    let members = format!("/api/project/{}/members", guarded.project);
    let owner = guarded.token().await;
    assert_eq!(service.post_json(&owner, &members, &json!({ "username": "vera" })).await.status, 200);
    assert_eq!(service.get(&viewer, &path).await.text("ticket_id"), id);
    service
        .get(&viewer, "/api/tickets?status=new")
        .await
        .refuses(422, "status: must be one of queued, sent, commented, dead");
    let retried = service.post_json(&viewer, &format!("{path}/retry"), &json!({})).await;
    retried.refuses(403, "missing required permission: CONNECTORS:UPDATE_CONNECTOR");
    let other = service.get(&owner, &format!("/api/tickets?connector={}", guarded.project)).await.body;
    assert_eq!(other["tickets"], json!([]));
}
