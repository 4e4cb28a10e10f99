//! What happened: asked for by cursor, followed as a stream.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    api_autonomous::analyze,
    api_logs_stream::Stream,
    service::{Running, send},
};

const VALIDATE: &str = "/v2/guardengine/svc_firewall_validate";
const PRIVATE: &str = "ann.lee@example.com";

/// A project whose policy blocks, challenges, escalates and masks by what stands in the text.
pub async fn project(service: &Running, token: &str, name: &str) -> String {
    let pii = json!({ "guardrail": "pii", "pii_masking_enabled": true, "pii_masking_strategy": "partial" });
    let patterns = json!([{ "name": "project", "pattern": "aurora" }]);
    let custom = json!({ "guardrail": "custom_regex", "action": "Escalate", "patterns": patterns });
    let policy = json!({ "policyName": name, "blocked_keywords": ["borealis"], "guardrails": [pii, custom] });
    let policy = service.policy(token, &policy).await;
    let project = json!({ "projectName": name, "policyId": policy });
    service.post_json(token, "/api/project/create", &project).await.text("projectId")
}

pub async fn judged(service: &Running, token: &str, project: &str, text: &str) -> Value {
    let body = json!({ "response": text, "projectId": project, "username": "eve" });
    let answer = service.post_json(token, VALIDATE, &body).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

async fn events(service: &Running, token: &str, query: &str) -> Value {
    let answer = service.get(token, &format!("/api/events?{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

fn types(page: &Value) -> Vec<&str> {
    page["events"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect()
}

async fn started() -> (Running, String, String) {
    let service = Running::with(&[("limits.token", "off"), ("limits.autonomous", "off")]).await;
    let token = service.owner().await;
    let project = project(&service, &token, "shop").await;
    (service, token, project)
}

/// Waits in real time, for what goes on in the background.
async fn until_there(service: &Running, token: &str, kind: &str) -> Value {
    crate::desks::until(kind, async || {
        let page = events(service, token, &format!("kind={kind}")).await;
        page["events"].get(0).cloned()
    })
    .await
}

#[tokio::test]
async fn decisions_are_told_without_their_text() {
    let (service, token, project) = started().await;
    judged(&service, &token, &project, "all is well").await;
    let masked = judged(&service, &token, &project, &format!("write to {PRIVATE}")).await;
    let blocked = judged(&service, &token, &project, &format!("borealis of {PRIVATE}")).await;
    let escalated = analyze(&service, &token, &project, &format!("where is aurora, {PRIVATE}")).await.body;
    let page = events(&service, &token, "").await;
    assert_eq!(types(&page), ["decision.masked", "decision.blocked", "decision.escalated"]);
    assert_eq!((&page["next_cursor"], &page["newest_cursor"]), (&json!(3), &json!(3)));
    for (event, decided) in page["events"].as_array().unwrap().iter().zip([&masked, &blocked, &escalated]) {
        assert_eq!(event["data"]["log_id"], decided["log_id"]);
        assert_eq!((&event["projectId"], &event["data"]["username"]), (&json!(project), &json!("eve")));
        assert_eq!(event["data"]["principal"], "user:admin");
    }
    let blocked = &page["events"][1]["data"];
    let keyword = &blocked["triggered_guardrails"][0];
    assert_eq!((&keyword["name"], &keyword["action"]), (&json!("blocked_keyword"), &json!("block")));
    assert_eq!((&blocked["endpoint"], &blocked["direction"]), (&json!("validate"), &json!("output")));
    assert_eq!((&blocked["decision"], &blocked["review_id"]), (&json!("block"), &Value::Null));
    assert_eq!(page["events"][2]["data"]["review_id"], escalated["review_id"]);
    for hidden in [PRIVATE, "ann.lee", "borealis", "aurora", "write to", "evidence", "spans"] {
        assert!(!page.to_string().contains(hidden), "{hidden}: {page}");
    }
}

#[tokio::test]
async fn a_cursor_goes_on_whenever_that_is() {
    let (service, token, project) = started().await;
    for number in 0..5 {
        judged(&service, &token, &project, &format!("borealis {number}")).await;
    }
    let first = events(&service, &token, "limit=2").await;
    assert_eq!((types(&first).len(), &first["next_cursor"]), (2, &json!(2)));
    let rest = events(&service, &token, "cursor=2").await;
    assert_eq!((types(&rest).len(), &rest["next_cursor"], &rest["forgotten"]), (3, &json!(5), &json!(false)));
    let end = events(&service, &token, "cursor=5").await;
    assert_eq!((types(&end).len(), &end["next_cursor"]), (0, &json!(5)));
    judged(&service, &token, &project, PRIVATE).await;
    let service = service.restarted().await;
    let token = service.owner().await;
    assert_eq!(types(&events(&service, &token, "cursor=5").await), ["decision.masked"]);
    assert_eq!(types(&events(&service, &token, "kind=decision.masked").await).len(), 1);
    for (query, told) in [
        ("cursor=9", "cursor: must be the next_cursor of an earlier answer"),
        ("cursor=-1", "cursor: must be the next_cursor of an earlier answer"),
        ("limit=0", "limit: must be a whole number from 1 to 500"),
        ("project=x", "invalid UUID format: project"),
    ] {
        service.get(&token, &format!("/api/events?{query}")).await.refuses(422, told);
    }
    let unknown = service.get(&token, "/api/events?kind=decision.allowed").await;
    assert!(unknown.text("detail").starts_with("kind: must be one of decision.masked, "), "{}", unknown.body);
}

#[tokio::test]
async fn what_is_too_old_is_forgotten_and_a_cursor_before_it_is_told_so() {
    let (service, token, project) = started().await;
    judged(&service, &token, &project, "borealis").await;
    service.clock.advance(Duration::from_hours(31 * 24));
    let token = service.owner().await;
    judged(&service, &token, &project, PRIVATE).await;
    guardengine::maintenance::run_now(&service.app).await.unwrap();
    let page = events(&service, &token, "cursor=0").await;
    assert_eq!((types(&page), &page["forgotten"]), (vec!["decision.masked"], &json!(true)));
    assert_eq!(events(&service, &token, "cursor=1").await["forgotten"], json!(false));
}

#[tokio::test]
async fn members_see_the_events_of_their_projects_and_strangers_none() {
    let (service, token, project) = started().await;
    let (viewer, stranger) = (service.member("vera", "viewer").await, service.stranger().await);
    judged(&service, &token, &project, "borealis").await;
    for nobody in [&viewer, &stranger] {
        assert_eq!(types(&events(&service, nobody, "").await).len(), 0);
    }
    assert_eq!(events(&service, &stranger, "").await["newest_cursor"], 0);
    let of_project = format!("/api/events?project={project}");
    service.get(&viewer, &of_project).await.refuses(403, "not a member of this project");
    service.get(&stranger, &of_project).await.refuses(404, "project not found");
    let members = format!("/api/project/{project}/members");
    assert_eq!(service.post_json(&token, &members, &json!({ "username": "vera" })).await.status, 200);
    assert_eq!(types(&events(&service, &viewer, &format!("project={project}")).await), ["decision.blocked"]);
    let org = service.app.tenants.db.org_named("default").await.unwrap().unwrap().id;
    service.app.tenants.db.set_credits(org, 1, 10, service.clock.now()).await.unwrap();
    assert_eq!(types(&events(&service, &token, "kind=credits.low").await), ["credits.low"]);
    assert_eq!(types(&events(&service, &viewer, "kind=credits.low").await).len(), 0, "of the organisation");
}

#[tokio::test]
async fn reviews_are_told_when_they_are_decided_and_when_nobody_does() {
    let (service, token, project) = started().await;
    let first = analyze(&service, &token, &project, "aurora one").await.text("review_id");
    let second = analyze(&service, &token, &project, "aurora two").await.text("review_id");
    let approve = json!({ "decision": "approve", "note": "a secret note" });
    assert_eq!(service.post_json(&token, &format!("/api/reviews/{first}"), &approve).await.status, 200);
    let decided = events(&service, &token, "kind=review.decided").await;
    let data = &decided["events"][0]["data"];
    assert_eq!((&data["review_id"], &data["status"]), (&json!(first), &json!("approved")));
    assert_eq!(data["expired"], false);
    assert!(!decided.to_string().contains("secret note"), "{decided}");
    service.clock.advance(Duration::from_hours(7 * 24));
    let token = service.owner().await;
    let expired = until_there(&service, &token, "review.expired").await;
    let data = &expired["data"];
    assert_eq!((&data["review_id"], &data["status"]), (&json!(second), &json!("denied")));
    assert_eq!((&data["expired"], &expired["projectId"]), (&json!(true), &json!(project)));
}

#[tokio::test]
async fn credits_that_run_low_are_told_once() {
    let service = Running::with(&[("credits.initial", "20")]).await;
    let token = service.owner().await;
    let project = project(&service, &token, "shop").await;
    for _ in 0..20 {
        judged(&service, &token, &project, "all is well").await;
    }
    let page = events(&service, &token, "").await;
    assert_eq!(types(&page), ["credits.low"]);
    assert_eq!(page["events"][0]["data"], json!({ "balance": 1, "mark": 2 }));
    assert_eq!(page["events"][0]["projectId"], Value::Null);
}

#[tokio::test]
async fn a_stream_tells_what_happens_and_goes_on_after_what_was_seen() {
    let (service, token, project) = started().await;
    judged(&service, &token, &project, "borealis before").await;
    let mut stream = Stream::at(&service, &token, "/api/events/stream", None).await;
    let mut masked = Stream::at(&service, &token, "/api/events/stream?kind=decision.masked", None).await;
    judged(&service, &token, &project, "borealis").await;
    judged(&service, &token, &project, PRIVATE).await;
    let (id, event) = stream.next().await.unwrap();
    assert_eq!((id.as_str(), &event["type"]), ("2", &json!("decision.blocked")));
    assert_eq!(event, events(&service, &token, "cursor=1&limit=1").await["events"][0]);
    assert_eq!(masked.next().await.unwrap().0, "3");
    let mut again = Stream::at(&service, &token, "/api/events/stream", Some("0")).await;
    for id in ["1", "2", "3"] {
        assert_eq!(again.next().await.unwrap().0, id);
    }
    let request = service.request(Method::GET, "/api/events/stream").bearer_auth(&token);
    let refused = send(request.header("Last-Event-ID", "9")).await;
    refused.refuses(422, "Last-Event-ID: must be the id of an earlier event");
}

#[tokio::test]
async fn a_stream_tells_nobody_of_what_they_may_not_see() {
    let (service, token, project) = started().await;
    let (dev, stranger) = (service.member("dev", "developer").await, service.stranger().await);
    let mut hers = Stream::at(&service, &dev, "/api/events/stream", None).await;
    let mut theirs = Stream::at(&service, &stranger, "/api/events/stream", None).await;
    judged(&service, &token, &project, "borealis").await;
    let own = self::project(&service, &dev, "own").await;
    judged(&service, &dev, &own, "borealis").await;
    assert_eq!(hers.next().await.unwrap().1["projectId"], json!(own));
    let elsewhere = self::project(&service, &stranger, "elsewhere").await;
    judged(&service, &stranger, &elsewhere, "borealis").await;
    let (id, event) = theirs.next().await.unwrap();
    assert_eq!((id.as_str(), &event["projectId"]), ("1", &json!(elsewhere)));
    assert_eq!(types(&events(&service, &token, "").await).len(), 2);
}
