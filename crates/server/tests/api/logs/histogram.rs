use std::time::Duration;

use serde_json::{Value, json};

use super::list::{ATTACK, analyze, unlimited};

/// Adds up the buckets of an answer by outcome.
fn sum(histogram: &Value, outcome: &str) -> i64 {
    let buckets = histogram["buckets"].as_array().unwrap_or_else(|| panic!("no buckets in {histogram}"));
    buckets.iter().filter_map(|bucket| bucket["by_outcome"][outcome].as_i64()).sum()
}

#[tokio::test]
async fn entries_are_counted_by_time_and_outcome() {
    let service = unlimited().await;
    let token = service.owner().await;
    let policy = json!({ "policyName": "desk", "guardrails": [{ "guardrail": "prompt_injection" }] });
    let project = service.project_with(&token, &policy).await;
    let begin = service.clock.now();
    for prompt in ["Hello", ATTACK, "Hello again"] {
        let body = json!({ "prompt": prompt, "projectId": project, "username": "jane" });
        analyze(&service, &token, &body).await;
        service.clock.advance(Duration::from_mins(10));
    }
    analyze(&service, &token, &json!({ "prompt": "Hello" })).await;
    for _ in 0..2 {
        let get = async |query: String| {
            let answer = service.get(&token, &format!("/api/logs/histogram?{query}")).await;
            assert_eq!(answer.status, 200, "{}", answer.body);
            answer.body
        };
        let day = get(String::new()).await;
        assert_eq!((sum(&day, "allowed"), sum(&day, "blocked")), (3, 1), "{day}");
        assert_eq!((&day["bucket_seconds"], &day["counted_since"]), (&json!(3600), &Value::Null));
        let blocked = get(format!("outcome=blocked&project={project}")).await;
        assert_eq!((sum(&blocked, "allowed"), sum(&blocked, "blocked")), (0, 1), "{blocked}");
        let jane = get("username=jane".to_owned()).await;
        assert_eq!((sum(&jane, "allowed"), sum(&jane, "blocked")), (2, 1), "{jane}");
        let minutes = get(format!("from={begin}&to={}", begin + Duration::from_mins(25))).await;
        assert_eq!(minutes["bucket_seconds"], 60);
        let starts: Vec<_> =
            minutes["buckets"].as_array().unwrap().iter().map(|one| one["from"].clone()).collect();
        assert_eq!(starts.len(), 3, "{minutes}");
        service.run_maintenance().await;
    }
    let reversed = service.get(&token, &format!("/api/logs/histogram?from={begin}&to={begin}")).await;
    reversed.refuses(422, "to: must be after from");
}

#[tokio::test]
async fn others_count_only_what_they_see() {
    let service = unlimited().await;
    let (owner, developer) = (service.owner().await, service.member("dev", "developer").await);
    let (hers, theirs) = (service.project(&developer, "hers").await, service.project(&owner, "theirs").await);
    for (token, project) in [(&developer, &hers), (&owner, &theirs)] {
        analyze(&service, token, &json!({ "prompt": "Hello", "projectId": project })).await;
    }
    let seen = service.get(&developer, "/api/logs/histogram").await;
    assert_eq!(sum(&seen.body, "allowed"), 1, "{}", seen.body);
    let refused = service.get(&developer, &format!("/api/logs/histogram?project={theirs}")).await;
    refused.refuses(403, "not a member of this project");
    let foreign = service.get(&service.stranger().await, "/api/logs/histogram").await;
    assert_eq!(foreign.body["buckets"], json!([]));
}

#[tokio::test]
async fn entries_are_found_by_conversation_and_caller() {
    let service = unlimited().await;
    let token = service.owner().await;
    for (prompt, conversation) in [("One", "talk 1"), ("Two", "talk 2"), ("Three", "talk 1")] {
        analyze(&service, &token, &json!({ "prompt": prompt, "conversation_id": conversation })).await;
        service.clock.advance(Duration::from_secs(1));
    }
    let texts = async |query: &str| {
        let found = service.get(&token, &format!("/api/logs?{query}")).await;
        let texts = found.body["logs"].as_array().unwrap().iter().map(|log| log["text"].clone());
        Value::Array(texts.collect())
    };
    assert_eq!(texts("conversation_id=talk%201").await, json!(["Three", "One"]));
    assert_eq!(texts("principal=user:admin&conversation_id=talk%202").await, json!(["Two"]));
    assert_eq!(texts("principal=user:nobody").await, json!([]));
}
