//! Lakera's guard. The requests are those of litellm 1.110.

use serde_json::{Value, json};

use super::{Guarded, ORDER};

const GUARD: &str = "/v2/guard";

fn messages(messages: Value) -> Value {
    let mut body =
        json!({ "project_id": null, "payload": true, "breakdown": true, "metadata": null, "dev_info": true });
    body["messages"] = messages;
    body
}

async fn asked(guarded: &Guarded, body: &Value) -> Value {
    let answer = guarded.post(GUARD, body).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

fn detected(answer: &Value) -> Vec<(&str, u64)> {
    let items = answer["breakdown"].as_array().unwrap().iter().filter(|item| item["detected"] == true);
    items
        .map(|item| (item["detector_type"].as_str().unwrap(), item["message_id"].as_u64().unwrap()))
        .collect()
}

#[tokio::test]
async fn an_attack_is_flagged_and_names_its_message() {
    let guarded = Guarded::start().await;
    let body =
        messages(json!([{ "role": "system", "content": "Be kind" }, { "role": "user", "content": ORDER }]));
    let answer = asked(&guarded, &body).await;
    assert_eq!((&answer["flagged"], &answer["payload"]), (&json!(true), &json!([])));
    assert_eq!(detected(&answer), [("prompt_attack", 1)]);
    assert!(
        answer["dev_info"]["model_version"].is_string() && answer["metadata"]["request_uuid"].is_string()
    );
}

#[tokio::test]
async fn personal_data_alone_is_located_so_that_the_caller_masks_it() {
    let guarded = Guarded::start().await;
    let body = messages(json!([
        { "role": "user", "content": "Über jane@example.com" },
        { "role": "assistant", "content": "Yes?" },
        { "role": "user", "content": [{ "type": "text", "text": "é" }, { "type": "text", "text": "or joe@example.com" }] },
    ]));
    let answer = asked(&guarded, &body).await;
    let mut spots: Vec<_> = answer["payload"].as_array().unwrap().iter().collect();
    spots.sort_by_key(|spot| spot["message_id"].as_u64());
    let first = json!({ "message_id": 0, "start": 5, "end": 21, "text": "jane@example.com",
        "detector_type": "pii/email", "labels": [] });
    assert_eq!(spots[0], &first);
    assert_eq!(
        (&spots[1]["message_id"], &spots[1]["start"], &spots[1]["end"]),
        (&json!(2), &json!(4), &json!(19))
    );
    assert_eq!(detected(&answer), [("pii/email", 0), ("pii/email", 2)]);
    assert_eq!(answer["flagged"], true);
}

#[tokio::test]
async fn a_harmless_conversation_is_not_flagged_and_switches_are_heeded() {
    let guarded = Guarded::start().await;
    let talk = json!([{ "role": "user", "content": "What is a lamp?" }]);
    let answer = asked(&guarded, &json!({ "messages": talk })).await;
    assert_eq!((&answer["flagged"], &answer["payload"]), (&json!(false), &json!([])));
    assert!(answer.get("breakdown").is_none() && answer.get("dev_info").is_none());
    let answer = asked(&guarded, &messages(talk)).await;
    assert!(detected(&answer).is_empty() && !answer["breakdown"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn the_last_message_says_what_is_guarded() {
    let guarded = Guarded::start().await;
    let talk = json!([{ "role": "user", "content": "What is it?" }, { "role": "assistant", "content": "The plan of Aurora" }]);
    let answer = asked(&guarded, &messages(talk)).await;
    assert_eq!(detected(&answer), [("custom/blocked_keyword", 1)]);
    let log = &guarded.logs("surface=lakera").await[0];
    assert_eq!((&log["endpoint"], &log["direction"]), (&json!("validate"), &json!("output")));
}

#[tokio::test]
async fn results_are_levels() {
    let guarded = Guarded::start().await;
    let body = json!({ "messages": [{ "role": "user", "content": ORDER }] });
    let answer = guarded.post("/v2/guard/results", &body).await;
    let results = answer.body["results"].as_array().unwrap();
    let attack = results.iter().find(|result| result["detector_id"] == "prompt_injection").unwrap();
    assert!(["l1_confident", "l2_very_likely"].contains(&attack["result"].as_str().unwrap()), "{attack}");
    assert_eq!(attack["detector_type"], "prompt_attack");
}

#[tokio::test]
async fn errors_have_lakeras_form() {
    let guarded = Guarded::start().await;
    let refused = guarded.post(GUARD, &json!({ "messages": [{ "content": "a" }] })).await;
    let error = json!({ "error": { "code": 400, "message": "field required: messages.0.role" } });
    assert_eq!((refused.status, refused.body), (400, error));
    let refused = guarded.post_at(GUARD, &json!({ "messages": [], "project_id": "project-1" })).await;
    assert_eq!(refused.body["error"]["message"], "invalid UUID format: project_id");
}
