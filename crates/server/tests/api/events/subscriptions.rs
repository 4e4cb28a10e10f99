//! Event subscriptions, with a fake webhook receiver.

mod settings;

use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_test_support::{
    fake_server::ReceivedRequest,
    poll::until,
    ticketing::{Failure, FakeTicketSystem},
};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::{
    events::list::{evaluate, project},
    support::{Response, TestService},
};

const SHARED: &str = "shared-by-both-sides";
const PATH: &str = "/api/events/subscriptions";

/// A service with a project and a webhook connector.
struct Subscribed {
    service: TestService,
    desk: FakeTicketSystem,
    project: String,
    connector: String,
}

impl Subscribed {
    async fn start() -> Self {
        let set = [("outgoing.allow_private", "true"), ("limits.token", "off"), ("limits.default", "off")];
        let service = TestService::with(&set).await;
        let (desk, token) = (FakeTicketSystem::webhook().await, service.owner().await);
        let project = project(&service, &token, "shop").await;
        let connector = webhook(&service, &token, "hook", &desk).await;
        Self { service, desk, project, connector }
    }

    async fn token(&self) -> String {
        self.service.owner().await
    }

    async fn subscribe(&self, mut more: Value) -> String {
        more["connector_id"] = json!(self.connector);
        let made = self.service.post_json(&self.token().await, PATH, &more).await;
        assert_eq!(made.status, 200, "{}", made.body);
        made.text("subscription_id")
    }

    async fn happen(&self, texts: &[&str]) {
        let token = self.token().await;
        for text in texts {
            evaluate(&self.service, &token, &self.project, text).await;
        }
    }

    async fn seen(&self, id: &str) -> Value {
        self.service.get(&self.token().await, &format!("{PATH}/{id}")).await.body
    }

    /// Returns the subscription as soon as `looks` is true.
    async fn once(&self, id: &str, what: &str, looks: impl Fn(&Value) -> bool) -> Value {
        until(what, async || {
            let seen = self.seen(id).await;
            looks(&seen).then_some(seen)
        })
        .await
    }

    async fn replay(&self, id: &str, from: &Value) -> Response {
        let body = json!({ "from": from });
        self.service.post_json(&self.token().await, &format!("{PATH}/{id}/replay"), &body).await
    }

    /// Returns the numbers of the delivered events, in order.
    fn numbers(&self) -> Vec<i64> {
        self.messages(|request| request.json["sequence"].as_i64().unwrap())
    }

    fn messages<T>(&self, of: impl Fn(&ReceivedRequest) -> T) -> Vec<T> {
        let records = self.desk.records();
        records.requests.iter().filter(|request| request.json["type"] != "ping").map(of).collect()
    }
}

async fn webhook(service: &TestService, token: &str, name: &str, desk: &FakeTicketSystem) -> String {
    let fields = json!({ "name": name, "url": format!("{}/{name}", desk.url), "secret": SHARED });
    service.post_json(token, "/api/connectors/webhook", &fields).await.text("id")
}

#[tokio::test]
async fn a_webhook_gets_signed_events_in_order() {
    let setup = Subscribed::start().await;
    setup.happen(&["borealis before"]).await;
    let id = setup.subscribe(json!({})).await;
    setup.happen(&["borealis", "write to ann.lee@example.com", "all is well", "borealis again"]).await;
    let seen = setup.once(&id, "all are delivered", |seen| seen["cursor"] == 4).await;
    assert_eq!((&seen["lag"], &seen["last_error"]), (&json!(0), &Value::Null));
    assert_eq!(seen["last_delivered_at"], json!(setup.service.clock.now()));
    assert_eq!(setup.numbers(), [2, 3, 4]);
    let page = setup.service.get(&setup.token().await, "/api/events?cursor=1").await.body;
    assert_eq!(json!(setup.messages(|request| request.json.clone())), page["events"]);
    for (at, event) in page["events"].as_array().unwrap().iter().enumerate() {
        let records = setup.desk.records();
        let request =
            records.requests.iter().filter(|request| request.json["type"] != "ping").nth(at).unwrap();
        let (message, time) = (request.header("webhook-id"), request.header("webhook-timestamp"));
        assert_eq!(message, format!("msg_{}", event["event_id"].as_str().unwrap().replace('-', "")));
        let mut signature = Hmac::<Sha256>::new_from_slice(SHARED.as_bytes()).unwrap();
        signature.update(format!("{message}.{time}.").as_bytes());
        signature.update(&request.bytes);
        let signature = BASE64_STANDARD.encode(signature.finalize().into_bytes());
        assert_eq!(request.header("webhook-signature"), format!("v1,{signature}"));
        let sent = String::from_utf8(request.bytes.clone()).unwrap();
        assert!(!sent.contains("ann.lee") && !sent.contains("borealis"), "{sent}");
    }
}

#[tokio::test]
async fn a_subscription_can_be_limited_to_types_and_projects() {
    let setup = Subscribed::start().await;
    let token = setup.token().await;
    let other = project(&setup.service, &token, "other").await;
    let id = setup.subscribe(json!({ "kinds": ["decision.masked"], "projects": [setup.project] })).await;
    evaluate(&setup.service, &token, &other, "ann.lee@example.com").await;
    setup.happen(&["borealis", "ann.lee@example.com", "borealis"]).await;
    setup.once(&id, "others are skipped", |seen| seen["cursor"] == 4).await;
    assert_eq!(setup.numbers(), [3]);
    let wider = json!({ "kinds": null, "projects": null });
    let changed = setup.service.put_json(&token, &format!("{PATH}/{id}"), &wider).await;
    assert_eq!((&changed.body["kinds"], &changed.body["projects"]), (&Value::Null, &Value::Null));
    evaluate(&setup.service, &token, &other, "borealis").await;
    setup.once(&id, "all are delivered", |seen| seen["cursor"] == 5).await;
    assert_eq!(setup.numbers(), [3, 5]);
}

#[tokio::test]
async fn a_failing_receiver_gets_everything_in_order_once_it_recovers() {
    let setup = Subscribed::start().await;
    let id = setup.subscribe(json!({})).await;
    for _ in 0..2 {
        setup.desk.fail_next(Failure::Status(500, Value::Null));
    }
    setup.happen(&["borealis 1"]).await;
    let failing = setup.once(&id, "it fails", |seen| seen["last_error"].is_string()).await;
    assert_eq!(failing["last_error"], "it answered 500: the server failed");
    assert_eq!((&failing["cursor"], &failing["lag"]), (&json!(0), &json!(1)));
    assert_eq!(failing["failing_since"], json!(setup.service.clock.now()));
    setup.happen(&["borealis 2", "borealis 3"]).await;
    setup.service.clock.advance(Duration::from_secs(11));
    let later =
        setup.once(&id, "it fails again", |seen| seen["next_attempt_at"] != failing["next_attempt_at"]);
    let later = later.await;
    assert_eq!((&later["failing_since"], &later["lag"]), (&failing["failing_since"], &json!(3)));
    setup.service.clock.advance(Duration::from_secs(21));
    let well = setup.once(&id, "it has caught up", |seen| seen["cursor"] == 3).await;
    assert_eq!((&well["failing_since"], &well["last_error"]), (&Value::Null, &Value::Null));
    assert_eq!(setup.numbers(), [1, 1, 1, 2, 3]);
    let ids = setup.messages(|request| request.header("webhook-id").to_owned());
    assert!(ids[0] == ids[1] && ids[1] == ids[2] && ids[2] != ids[3], "repetitions keep their id: {ids:?}");
}

#[tokio::test]
async fn events_delivered_before_a_failure_are_not_repeated() {
    let setup = Subscribed::start().await;
    let id = setup.subscribe(json!({ "enabled": false })).await;
    setup.happen(&["borealis 1", "borealis 2", "borealis 3"]).await;
    assert_eq!(setup.numbers(), Vec::<i64>::new());
    // The receiver gets the first of the next messages, but its response is lost.
    let token = setup.token().await;
    setup.service.put_json(&token, &format!("{PATH}/{id}"), &json!({ "enabled": true })).await;
    setup.once(&id, "all are delivered", |seen| seen["cursor"] == 3).await;
    setup.desk.fail_next(Failure::LostResponse);
    setup.happen(&["borealis 4", "borealis 5"]).await;
    setup.once(&id, "it fails", |seen| seen["last_error"].is_string()).await;
    setup.service.clock.advance(Duration::from_secs(11));
    setup.once(&id, "it has caught up", |seen| seen["cursor"] == 5).await;
    assert_eq!(setup.numbers(), [1, 2, 3, 4, 4, 5]);
}

#[tokio::test]
async fn events_are_replayed_from_a_cursor_or_a_time() {
    let setup = Subscribed::start().await;
    let id = setup.subscribe(json!({})).await;
    setup.happen(&["borealis 1"]).await;
    setup.service.clock.advance(Duration::from_mins(1));
    let later = setup.service.clock.now();
    setup.happen(&["borealis 2", "borealis 3"]).await;
    setup.once(&id, "all are delivered", |seen| seen["cursor"] == 3).await;
    assert_eq!(setup.replay(&id, &json!(2)).await.body["cursor"], 2);
    setup.once(&id, "the third again", |seen| seen["cursor"] == 3).await;
    assert_eq!(setup.replay(&id, &json!(later)).await.body["cursor"], 1);
    setup.once(&id, "the second and third again", |seen| seen["cursor"] == 3).await;
    assert_eq!(setup.numbers(), [1, 2, 3, 3, 2, 3]);
    let accepted = "from: must be a cursor, or an RFC 3339 time, such as 2026-01-02T03:04:05Z";
    for bad in [json!(4), json!(-1), json!("yesterday"), json!([])] {
        setup.replay(&id, &bad).await.refuses(422, accepted);
    }
    setup.replay(&id, &Value::Null).await.refuses(422, "field required: from");
    let trail =
        setup.service.get(&setup.token().await, "/api/audit?action=CONNECTORS:REPLAY_EVENTS").await.body;
    assert_eq!(trail["entries"][1]["details"], json!({ "cursor": { "from": 3, "to": 2 } }), "{trail}");
}

#[tokio::test]
async fn a_decided_review_emits_an_event() {
    let setup = Subscribed::start().await;
    let id = setup.subscribe(json!({ "kinds": ["review.decided", "review.expired"] })).await;
    let token = setup.token().await;
    let prompt = json!({ "prompt": "where is aurora", "projectId": setup.project });
    let request = setup.service.post_json(&token, "/api/autonomous/analyze", &prompt).await;
    let review = request.text("review_id");
    let deny = json!({ "decision": "deny" });
    assert_eq!(setup.service.post_json(&token, &format!("/api/reviews/{review}"), &deny).await.status, 200);
    setup.once(&id, "it is delivered", |seen| seen["cursor"] == 2).await;
    let bodies = setup.messages(|request| request.json.clone());
    assert_eq!((bodies.len(), &bodies[0]["type"]), (1, &json!("review.decided")));
    assert_eq!(
        (&bodies[0]["data"]["review_id"], &bodies[0]["data"]["status"]),
        (&json!(review), &json!("denied"))
    );
}

#[tokio::test]
async fn a_connector_that_fails_and_recovers_emits_events() {
    let setup = Subscribed::start().await;
    let id = setup.subscribe(json!({ "kinds": ["connector.error", "connector.recovered"] })).await;
    let token = setup.token().await;
    let other = FakeTicketSystem::webhook().await;
    let gone = webhook(&setup.service, &token, "gone", &other).await;
    let path = format!("/api/connectors/{gone}");
    let aside = json!({ "url": "http://127.0.0.1:9/nobody", "secret": SHARED });
    assert_eq!(setup.service.put_json(&token, &path, &aside).await.status, 200);
    let tested = setup.service.post_json(&token, &format!("{path}/test"), &json!({})).await;
    assert_eq!(tested.body["ok"], false, "{}", tested.body);
    let back = json!({ "url": format!("{}/back", other.url), "secret": SHARED });
    assert_eq!(setup.service.put_json(&token, &path, &back).await.status, 200);
    setup.service.post_json(&token, &format!("{path}/test"), &json!({})).await;
    setup.once(&id, "both are delivered", |seen| seen["cursor"] == 2).await;
    let bodies = setup.messages(|request| request.json.clone());
    let kinds: Vec<_> = bodies.iter().map(|body| body["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["connector.error", "connector.recovered"]);
    assert_eq!(
        (&bodies[0]["data"]["connector_id"], &bodies[0]["data"]["name"]),
        (&json!(gone), &json!("gone"))
    );
    assert!(!json!(bodies).to_string().contains(SHARED), "no secret: {bodies:?}");
}

#[tokio::test]
async fn a_subscription_of_a_disabled_connector_waits() {
    let setup = Subscribed::start().await;
    let id = setup.subscribe(json!({})).await;
    let (token, path) = (setup.token().await, format!("/api/connectors/{}", setup.connector));
    assert_eq!(setup.service.put_json(&token, &path, &json!({ "enabled": false })).await.status, 200);
    setup.happen(&["borealis"]).await;
    let waits = setup.once(&id, "it waits", |seen| seen["last_error"].is_string()).await;
    assert_eq!(waits["last_error"], "the connector is disabled");
    assert_eq!(setup.service.put_json(&token, &path, &json!({ "enabled": true })).await.status, 200);
    setup.service.put_json(&token, &format!("{PATH}/{id}"), &json!({ "enabled": true })).await;
    setup.once(&id, "it is delivered", |seen| seen["cursor"] == 1).await;
    assert_eq!(setup.numbers(), [1]);
}

#[tokio::test]
async fn a_member_of_no_project_cannot_send_events_elsewhere() {
    let setup = Subscribed::start().await;
    let (service, token) = (&setup.service, setup.token().await);
    let role = json!({ "name": "plumber", "permissions": ["CONNECTORS:UPDATE_CONNECTOR", "CONNECTORS:VIEW_CONNECTOR"] });
    assert_eq!(service.post_json(&token, "/api/roles", &role).await.status, 200);
    let plumber = service.member("pia", "plumber").await;
    let own = webhook(service, &token, "own", &setup.desk).await;
    let aside = json!({ "url": format!("{}/aside", setup.desk.url), "secret": SHARED });
    let connector = format!("/api/connectors/{}", setup.connector);
    assert_eq!(service.put_json(&plumber, &connector, &aside).await.status, 200, "no events go there yet");
    let all = setup.subscribe(json!({})).await;
    for (projects, refused) in [
        (json!(null), "not a member of every project"),
        (json!([setup.project]), "not a member of this project"),
    ] {
        let path = format!("{PATH}/{all}");
        assert_eq!(service.put_json(&token, &path, &json!({ "projects": projects })).await.status, 200);
        for change in [json!({ "connector_id": own }), json!({ "enabled": true })] {
            service.put_json(&plumber, &path, &change).await.refuses(403, refused);
        }
        let away = json!({ "url": format!("{}/away", setup.desk.url), "secret": SHARED });
        service.put_json(&plumber, &connector, &away).await.refuses(403, refused);
        assert_eq!(service.put_json(&plumber, &connector, &json!({ "name": "hook 2" })).await.status, 200);
    }
}
