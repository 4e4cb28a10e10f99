//! Rules that fire and resolve, and their messages.

use std::time::Duration;

use guardengine_test_support::fake_server::ReceivedRequest;
use serde_json::{Value, json};

use super::{PATH, Watched, smtp};
use crate::events::list::{evaluate, project};

fn texts(requests: &[ReceivedRequest]) -> Vec<&str> {
    requests.iter().map(|request| request.json["text"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_rule_fires_once_and_resolves_once() {
    let setup = Watched::start().await;
    setup.set_credits(50).await;
    let id = setup.credits_low(60).await;
    for _ in 0..3 {
        setup.evaluate().await;
    }
    let alert = setup.alert(&id).await;
    assert_eq!(alert["state"], "firing");
    assert_eq!(alert["summary"], "The balance is 50 credits. The rule fires below 60.");
    assert_eq!(setup.delivered(&id).await.len(), 2);
    let requests = setup.chat.requests();
    let [text] = texts(&requests)[..] else { panic!("{requests:?}") };
    assert!(text.starts_with("Alert: Credits &lt;low&gt;\nThe balance is 50 credits."), "{text}");
    let lines = setup.mail.lines();
    assert!(lines.contains(&"RCPT TO:<ann@example.com>".to_owned()), "{lines:?}");
    assert!(lines.contains(&"Subject: Alert: Credits <low>".to_owned()), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| *line == "DATA").count(), 1);
    assert!(lines.contains(&"MIME-Version: 1.0".to_owned()), "{lines:?}");

    setup.set_credits(60).await;
    for _ in 0..2 {
        setup.evaluate().await;
    }
    let alert = setup.alert(&id).await;
    assert_eq!((&alert["state"], &alert["firing_since"]), (&json!("ok"), &Value::Null));
    let delivered = setup.delivered(&id).await;
    assert_eq!(delivered.len(), 4);
    assert!(delivered.iter().all(|message| message["status"] == "sent"), "{delivered:?}");
    assert_eq!((&delivered[0]["kind"], &delivered[3]["kind"]), (&json!("resolved"), &json!("fired")));
    assert_eq!(setup.event_types().await, ["alert.fired", "alert.resolved"]);
}

#[tokio::test]
async fn a_rule_is_quiet_until_its_cooldown_ends() {
    let setup = Watched::start().await;
    setup.set_credits(50).await;
    let id = setup.credits_low(60).await;
    setup.evaluate().await;
    setup.set_credits(60).await;
    setup.evaluate().await;
    setup.set_credits(50).await;
    setup.evaluate().await;
    assert_eq!(setup.alert(&id).await["state"], "ok");
    setup.service.clock.advance(Duration::from_mins(5));
    setup.service.evaluate_alerts().await;
    assert_eq!(setup.event_types().await, ["alert.fired", "alert.resolved", "alert.fired"]);
}

#[tokio::test]
async fn the_block_rate_of_a_project_fires() {
    let setup = Watched::start().await;
    let (service, token) = (&setup.service, &setup.token);
    let shop = project(service, token, "shop").await;
    let condition = json!({ "type": "block_rate", "share": 0.5, "min_count": 2, "period_minutes": 5 });
    let rule =
        |name: &str, condition: &Value| json!({ "name": name, "condition": condition, "projectId": shop });
    let rate = setup.create(&rule("rate", &condition)).await;
    let spike = json!({ "type": "guardrail_spike", "guardrail": "custom_regex", "min_count": 1 });
    let spike = setup.create(&rule("spike", &spike)).await;
    evaluate(service, token, &shop, "hello").await;
    setup.evaluate().await;
    assert_eq!(setup.alert(&rate).await["state"], "ok");
    evaluate(service, token, &shop, "the borealis plan").await;
    setup.evaluate().await;
    let alert = setup.alert(&rate).await;
    assert_eq!(alert["state"], "firing", "{alert}");
    let summary = alert["summary"].as_str().unwrap();
    assert!(summary.starts_with("1 of 2 requests of the last 5 minutes were blocked (50 %)."), "{summary}");
    assert_eq!(setup.alert(&spike).await["state"], "ok", "a keyword is no guardrail");
    service.clock.advance(Duration::from_mins(5));
    service.evaluate_alerts().await;
    assert_eq!(setup.alert(&rate).await["state"], "ok");
    let events = service.get(token, "/api/events?kind=alert.fired").await.body;
    assert_eq!(events["events"][0]["projectId"], json!(shop));
}

#[tokio::test]
async fn a_failing_connector_fires() {
    let setup = Watched::start().await;
    let id = setup.create(&json!({ "name": "down", "condition": { "type": "connector_down" } })).await;
    setup.evaluate().await;
    assert_eq!(setup.alert(&id).await["summary"], "There are no connectors that failed.");
    let body = json!({ "name": "Broken", "base_url": "http://127.0.0.1:9", "model": "m" });
    let made = setup.service.post_json(&setup.token, "/api/connectors/openai_compatible", &body).await;
    let path = format!("/api/connectors/{}/test", made.text("id"));
    setup.service.post_json(&setup.token, &path, &json!({})).await;
    setup.evaluate().await;
    let alert = setup.alert(&id).await;
    assert_eq!(alert["summary"], "There are connectors that failed: Broken.", "{alert}");
    assert_eq!(alert["state"], "firing");
}

#[tokio::test]
async fn a_refused_message_is_dead_until_it_is_retried() {
    let setup = Watched::with(|_| (404, json!({}))).await;
    setup.mail.refuse_recipients(Some("550 nobody here by the secret name"));
    setup.set_credits(50).await;
    let id = setup.credits_low(60).await;
    setup.evaluate().await;
    let messages = setup.delivered(&id).await;
    let of = |connector: &str| {
        messages.iter().find(|message| message["connector_id"] == connector).unwrap().clone()
    };
    let (chat, mail) = (of(&setup.slack), of(&setup.smtp));
    assert_eq!((&chat["status"], &mail["status"]), (&json!("dead"), &json!("dead")));
    assert_eq!(mail["last_error"], "the mail server answered 550: a sender or recipient is not accepted");

    setup.mail.refuse_recipients(None);
    let retry = |id: &Value| format!("{PATH}/deliveries/{}/retry", id.as_str().unwrap());
    let path = retry(&mail["delivery_id"]);
    let stranger = setup.service.stranger().await;
    setup.service.post_json(&stranger, &path, &json!({})).await.refuses(404, "alert delivery not found");
    assert_eq!(setup.service.post_json(&setup.token, &path, &json!({})).await.body["status"], "queued");
    let messages = setup.delivered(&id).await;
    let sent = messages.iter().find(|message| message["delivery_id"] == mail["delivery_id"]).unwrap();
    assert_eq!((&sent["status"], &sent["attempts"]), (&json!("sent"), &json!(2)));
    setup.service.post_json(&setup.token, &path, &json!({})).await.refuses(409, "alert delivery is not dead");
}

#[tokio::test]
async fn a_test_sends_a_marked_message_and_changes_nothing() {
    let setup = Watched::start().await;
    let id = setup.credits_low(1).await;
    let before = setup.alert(&id).await;
    let tested = setup.test(&id).await;
    assert_eq!(tested.status, 200, "{}", tested.body);
    let results = tested.body["results"].as_array().unwrap();
    assert!(results.len() == 2 && results.iter().all(|result| result["ok"] == true), "{results:?}");
    let requests = setup.chat.requests();
    assert!(texts(&requests)[0].starts_with("Test: Credits &lt;low&gt;\nThis is a test. The balance is "));
    assert!(setup.mail.lines().contains(&"Subject: Test: Credits <low>".to_owned()));
    assert_eq!(setup.alert(&id).await, before);
    assert!(setup.event_types().await.is_empty() && setup.delivered(&id).await.is_empty());
}

#[tokio::test]
async fn a_password_is_never_sent_without_encryption() {
    let setup = Watched::start().await;
    let path = format!("/api/connectors/{}/test", setup.smtp);
    let checked = setup.service.post_json(&setup.token, &path, &json!({})).await.body;
    assert_eq!((&checked["ok"], &checked["error"]), (&json!(true), &Value::Null));
    let lines = setup.mail.lines();
    assert!(lines.contains(&"NOOP".to_owned()) && !lines.iter().any(|line| line.starts_with("MAIL")));

    let mut body = smtp(&setup.mail);
    body["name"] = json!("with password");
    body["password"] = json!("hunter2");
    let made = setup.service.post_json(&setup.token, "/api/connectors/smtp", &body).await;
    let path = format!("/api/connectors/{}/test", made.text("id"));
    let checked = setup.service.post_json(&setup.token, &path, &json!({})).await.body;
    let refusal = "the mail server offers no STARTTLS: use port 465, or a server that encrypts";
    assert_eq!(checked["error"], refusal, "{checked}");
    assert!(!setup.mail.lines().iter().any(|line| line.starts_with("AUTH")));
}
