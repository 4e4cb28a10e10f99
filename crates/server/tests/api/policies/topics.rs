use serde_json::{Value, json};

use crate::support::TestService;

const ABOUT_HOLIDAYS: &str = "We are going to Portugal in spring, plan the trip for us.";

fn guardrails(more: &Value) -> Value {
    let examples = [
        "Plan a week in Lisbon for the two of us.",
        "Can you plan a family holiday in Greece for August?",
        "Help me plan a road trip through Scotland.",
        "I need an itinerary for ten days in Japan.",
        "Put together a city break in Prague for the long weekend.",
    ];
    let mut item =
        json!({ "guardrail": "custom_topics", "topics": [{ "name": "holidays", "examples": examples }] });
    item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!([item])
}

fn topic(guardrails: &Value) -> &Value {
    &guardrails[0]["topics"][0]
}

#[tokio::test]
async fn a_topic_blocks_other_words_for_it_in_guard_requests_and_dry_runs() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = service
        .project_with(&token, &json!({ "policyName": "a", "guardrails": guardrails(&json!({})) }))
        .await;
    let guard = async |prompt: &str| {
        let body = json!({ "prompt": prompt, "projectId": project });
        service.post_json(&token, "/v2/guardengine/svc_firewall_analyze", &body).await
    };
    let blocked = guard(ABOUT_HOLIDAYS).await;
    assert_eq!(blocked.text("overall_decision"), "block");
    let triggered = &blocked.body["triggered_guardrails"][0];
    assert_eq!(
        (&triggered["name"], &triggered["evidence"][0]),
        (&json!("custom_topics"), &json!("topic \"holidays\""))
    );
    assert_eq!(guard("How do I reset my password?").await.text("overall_decision"), "allow");

    let policy = service.policy(&token, &json!({ "policyName": "blank" })).await;
    for path in [format!("/api/policy/{policy}/test"), "/api/policy/default/test".to_owned()] {
        let test = async |body: Value| service.post_json(&token, &path, &body).await.text("action");
        let draft = json!({ "guardrails": guardrails(&json!({})) });
        assert_eq!(test(json!({ "text": ABOUT_HOLIDAYS, "policy": draft })).await, "block", "{path}");
        assert_eq!(test(json!({ "text": ABOUT_HOLIDAYS })).await, "allow", "{path}");
    }
}

#[tokio::test]
async fn a_policy_shows_the_expected_false_positives_of_its_topics_and_ignores_them() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let id =
        service.policy(&token, &json!({ "policyName": "a", "guardrails": guardrails(&json!({})) })).await;
    let path = format!("/api/policy/{id}");
    let read = service.get(&token, &path).await.body;
    assert_eq!(topic(&read["guardrails"])["expected_false_positives"], json!(0.003));
    assert_eq!(service.get(&token, "/api/policy/list").await.body["policies"][0], read);

    // The shown policy can be sent back, and the share is not stored.
    let same = service.put_json(&token, &path, &json!({ "guardrails": read["guardrails"] })).await.body;
    assert_eq!((&same["version"], &same["guardrails"]), (&json!(1), &read["guardrails"]));
    let strict = guardrails(&json!({ "threshold": 0.7 }));
    let strict = service.put_json(&token, &path, &json!({ "guardrails": strict })).await.body;
    let share = |policy: &Value| topic(&policy["guardrails"])["expected_false_positives"].as_f64().unwrap();
    assert!(share(&strict) < share(&read), "{strict}");
    let versions = service.get(&token, &format!("{path}/versions")).await.body;
    let shown: Vec<_> =
        versions["versions"].as_array().unwrap().iter().map(|one| share(&one["policy"])).collect();
    assert_eq!(shown, [share(&strict), share(&read)]);
    let first = service.get(&token, &format!("{path}/versions/1")).await.body;
    assert_eq!(share(&first["policy"]), share(&read));

    let disabled = guardrails(&json!({ "enabled": false }));
    let disabled = service.put_json(&token, &path, &json!({ "guardrails": disabled })).await.body;
    assert_eq!(topic(&disabled["guardrails"]).get("expected_false_positives"), None);
    let org = service.org_id().await;
    let stored = service.db.policy(org, id.parse().unwrap()).await.unwrap().unwrap();
    assert!(!stored.content.contains("expected_false_positives"), "{}", stored.content);
}

#[tokio::test]
async fn a_topic_with_too_few_examples_is_refused_with_its_field() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let item =
        json!({ "guardrail": "custom_topics", "topics": [{ "name": "a", "examples": ["one", "two"] }] });
    let made = service
        .post_json(&token, "/api/policy/create", &json!({ "policyName": "a", "guardrails": [item] }))
        .await;
    made.refuses(422, "guardrails.0.topics.0.examples: must have at least 3 items");
}
