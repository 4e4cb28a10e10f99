//! Streams of the gateway: what the client gets is what it would get as a whole, and nothing blocked.

use std::time::Duration;

use guardengine_test_support::poll::until;
use serde_json::{Value, json};

use super::{
    Guarded, ORDER,
    formats::{CHAT, FORMATS, MESSAGES, RESPONSES, answer, call},
    gateway::{Gateway, tokens},
};
use crate::support::streaming_model::{Script, StreamingModel, events};

const TEXT: &str = "Thank you for your order of a lamp, which will arrive on the day after tomorrow. For questions, please \
    write to jane.doe@example.com and name the number of the order, so that we find it in our books at once.";
const BLOCKED: &str = "Thank you for your order of a lamp, which arrives tomorrow. The plan of Aurora is a secret of the house. \
    We hope to see you again soon.";

/// Returns an event of a stream.
fn event(data: &Value) -> String {
    let name = data["type"].as_str().map(|name| format!("event: {name}\n")).unwrap_or_default();
    format!("{name}data: {data}\n\n")
}

/// Returns the events of an answer with this text and these arguments, in pieces of a few characters.
fn streamed(path: &str, text: &str, arguments: &Value) -> String {
    let pieces = |text: &str| -> Vec<String> {
        text.chars().collect::<Vec<_>>().chunks(5).map(|piece| piece.iter().collect()).collect()
    };
    let arguments = arguments.to_string();
    let mut data = Vec::new();
    match path {
        CHAT => {
            let chunk = |delta: Value, end: Option<&str>| {
                json!({ "id": "a-1", "object": "chat.completion.chunk", "created": 1, "model": "up",
                    "choices": [{ "index": 0, "delta": delta, "finish_reason": end }], "usage": null })
            };
            data.push(chunk(json!({ "role": "assistant", "content": "" }), None));
            data.extend(pieces(text).iter().map(|piece| chunk(json!({ "content": piece }), None)));
            let named = json!({ "index": 0, "id": "t", "type": "function", "function": { "name": "f", "arguments": "" } });
            data.push(chunk(json!({ "tool_calls": [named] }), None));
            data.extend(pieces(&arguments).iter().map(|piece| {
                chunk(json!({ "tool_calls": [{ "index": 0, "function": { "arguments": piece } }] }), None)
            }));
            data.push(chunk(json!({}), Some("tool_calls")));
            data.push(json!({ "id": "a-1", "object": "chat.completion.chunk", "choices": [],
                "usage": { "prompt_tokens": 4, "completion_tokens": 3, "total_tokens": 7 } }));
            return data.iter().map(event).collect::<String>() + "data: [DONE]\n\n";
        }
        MESSAGES => {
            let message = json!({ "id": "a-1", "type": "message", "role": "assistant", "content": [], "model": "up",
                "stop_reason": null, "usage": { "input_tokens": 1, "cache_read_input_tokens": 3, "output_tokens": 1 } });
            data.push(json!({ "type": "message_start", "message": message }));
            let blocks = [
                json!({ "type": "text", "text": "" }),
                json!({ "type": "tool_use", "id": "t", "name": "f", "input": {} }),
            ];
            for (index, (block, text)) in blocks.into_iter().zip([text, &arguments]).enumerate() {
                data.push(json!({ "type": "content_block_start", "index": index, "content_block": block }));
                data.extend(pieces(text).iter().map(|piece| {
                    let delta = match index {
                        0 => json!({ "type": "text_delta", "text": piece }),
                        _ => json!({ "type": "input_json_delta", "partial_json": piece }),
                    };
                    json!({ "type": "content_block_delta", "index": index, "delta": delta })
                }));
                data.push(json!({ "type": "content_block_stop", "index": index }));
            }
            data.push(json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" },
                "usage": { "output_tokens": 3 } }));
            data.push(json!({ "type": "message_stop" }));
        }
        _ => {
            let whole = answer(RESPONSES, text, &serde_json::from_str(&arguments).unwrap());
            let mut begun = whole.clone();
            (begun["output"], begun["status"]) = (json!([]), json!("in_progress"));
            data.push(json!({ "type": "response.created", "response": begun }));
            let place = |kind: &str, name: &str, value: Value| json!({ "type": kind, "output_index": 0, "content_index": 0, name: value });
            data.extend(
                pieces(text).iter().map(|piece| place("response.output_text.delta", "delta", json!(piece))),
            );
            data.push(place("response.output_text.done", "text", json!(text)));
            let part = whole["output"][0]["content"][0].clone();
            data.push(place("response.content_part.done", "part", part));
            data.push(
                json!({ "type": "response.output_item.done", "output_index": 0, "item": whole["output"][0] }),
            );
            data.extend(pieces(&arguments).iter().map(|piece| {
                json!({ "type": "response.function_call_arguments.delta", "output_index": 1, "delta": piece })
            }));
            data.push(json!({ "type": "response.function_call_arguments.done", "output_index": 1,
                "arguments": arguments }));
            data.push(json!({ "type": "response.completed", "response": whole }));
        }
    }
    data.iter().map(event).collect()
}

/// Returns the text and the arguments that a client reads from events.
fn read(path: &str, events: &[Value]) -> (String, String) {
    let joined = |pick: &dyn Fn(&Value) -> Option<String>| events.iter().filter_map(pick).collect::<String>();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    match path {
        CHAT => {
            let delta = |event: &Value| event["choices"][0]["delta"].clone();
            (
                joined(&|event| text(&delta(event)["content"])),
                joined(&|event| text(&delta(event)["tool_calls"][0]["function"]["arguments"])),
            )
        }
        MESSAGES => (
            joined(&|event| text(&event["delta"]["text"])),
            joined(&|event| text(&event["delta"]["partial_json"])),
        ),
        _ => {
            let of = |kind: &'static str| {
                move |event: &Value| {
                    (event["type"] == kind).then(|| event["delta"].as_str().unwrap().to_owned())
                }
            };
            (joined(&of("response.output_text.delta")), joined(&of("response.function_call_arguments.delta")))
        }
    }
}

/// Returns whether the last events are those of a refusal.
fn ends_as_refusal(path: &str, events: &[Value]) -> bool {
    match path {
        CHAT => {
            let chunk = &events[events.len() - 2];
            chunk["choices"][0]["finish_reason"] == "content_filter" && events[events.len() - 1] == "[DONE]"
        }
        MESSAGES => {
            events[events.len() - 2]["delta"]["stop_reason"] == "refusal"
                && events[events.len() - 1]["type"] == "message_stop"
        }
        _ => {
            let last = &events[events.len() - 1];
            last["type"] == "response.incomplete"
                && last["response"]["incomplete_details"]["reason"] == "content_filter"
        }
    }
}

fn streaming(path: &str, text: &str) -> Value {
    let mut body = call(path, text);
    body["stream"] = json!(true);
    body
}

async fn posted(gateway: &Gateway, path: &str, text: &str) -> reqwest::Response {
    let Guarded { service, key, project, .. } = &gateway.guarded;
    let path_below = format!("/p/{project}{path}");
    service.post(&path_below).bearer_auth(key).json(&streaming(path, text)).send().await.unwrap()
}

#[tokio::test]
async fn a_stream_reads_as_the_whole_answer_however_it_is_cut() {
    let model = StreamingModel::start().await;
    let gateway = Gateway::start(&model.url).await;
    let arguments = json!({ "to": "bob@example.com", "n": 1 });
    let shown = TEXT.replace("jane.doe@example.com", "[EMAIL_REDACTED]");
    for (path, kind) in FORMATS {
        gateway.serve_by(kind, &model.url, "refusal").await;
        let whole = streamed(path, TEXT, &arguments);
        for sizes in [&[1_000_000][..], &[7, 1, 90], &[300, 40]] {
            model.plays(Script::cut(&whole, sizes));
            let response = posted(&gateway, path, "I am jane@example.com").await;
            assert_eq!(response.status(), 200);
            let log_id = response.headers()["x-guardengine-log-id"].to_str().unwrap().to_owned();
            let body = response.text().await.unwrap();
            let found = events(&body);
            let (text, written) = read(path, &found);
            assert_eq!(text, shown, "{path} {sizes:?}: {body}");
            let written: Value = serde_json::from_str(&written).unwrap();
            assert_eq!(written, json!({ "to": "[EMAIL_REDACTED]", "n": 1 }));
            assert!(!body.contains("jane.doe") && !body.contains("bob@"), "{body}");
            assert!(body.contains("total_tokens") || body.contains("output_tokens"), "usage is kept");
            assert!(body.contains(&format!(": guardengine log entry {log_id}")));
            let entry = gateway.entry(&log_id).await;
            let seen = ["surface", "decision", "credits"].map(|field| entry[field].clone());
            assert_eq!(seen, [json!("gateway"), json!("mask"), json!(2)]);
            assert_eq!(tokens(&entry), (json!(4), json!(3)), "{path} {sizes:?}");
            assert!(entry["upstream_time_ms"].is_u64(), "{entry}");
        }
    }
    assert_eq!(gateway.guarded.logs("").await.len(), 9);
    assert_eq!(gateway.guarded.service.charges(&gateway.guarded.token).await, 9);
}

#[tokio::test]
async fn what_is_blocked_is_never_sent() {
    let model = StreamingModel::start().await;
    let gateway = Gateway::start(&model.url).await;
    for (path, kind) in FORMATS {
        gateway.serve_by(kind, &model.url, "refusal").await;
        let blocked = [
            streamed(path, BLOCKED, &json!({})),
            streamed(path, "Here it is.", &json!({ "text": "the plan of Aurora" })),
        ];
        for whole in blocked {
            model.plays(Script::cut(&whole, &[50, 9]));
            let response = posted(&gateway, path, "hello").await;
            let log_id = response.headers()["x-guardengine-log-id"].to_str().unwrap().to_owned();
            let body = response.text().await.unwrap();
            assert!(ends_as_refusal(path, &events(&body)), "{path}: {body}");
            assert!(!body.to_lowercase().contains("the plan"), "{path}: {body}");
            assert!(body.contains("This call was blocked"), "{body}");
            let entry = gateway.entry(&log_id).await;
            let seen = ["decision", "direction", "credits"].map(|field| entry[field].clone());
            assert_eq!(seen, [json!("block"), json!("output"), json!(2)]);
        }
    }
    assert_eq!(gateway.guarded.logs("").await.len(), 6);
}

#[tokio::test]
async fn a_blocked_request_is_answered_by_a_stream() {
    let model = StreamingModel::start().await;
    let gateway = Gateway::start(&model.url).await;
    for (path, kind) in FORMATS {
        gateway.serve_by(kind, &model.url, "refusal").await;
        let response = posted(&gateway, path, ORDER).await;
        assert_eq!(response.headers()["content-type"], "text/event-stream; charset=utf-8");
        let found = events(&response.text().await.unwrap());
        assert!(ends_as_refusal(path, &found), "{found:?}");
        gateway.serve_by(kind, &model.url, "error").await;
        assert_eq!(posted(&gateway, path, ORDER).await.status(), 400);
    }
}

#[tokio::test]
async fn a_passage_arrives_before_the_answer_ends() {
    let model = StreamingModel::start().await;
    let gateway = Gateway::start(&model.url).await;
    let script = Script::cut(&streamed(CHAT, TEXT, &json!({})), &[2_000]);
    model.plays(Script { pause: Duration::from_millis(400), ..script });
    let mut response = posted(&gateway, CHAT, "hello").await;
    let mut early = String::new();
    while !early.contains("Thank") {
        early.push_str(std::str::from_utf8(&response.chunk().await.unwrap().unwrap()).unwrap());
    }
    assert!(!early.contains("[DONE]"), "{early}");
    assert!(gateway.guarded.logs("").await.is_empty(), "the call is recorded when it ends");
    assert!(response.text().await.unwrap().contains("[DONE]"));
}

#[tokio::test]
async fn a_provider_that_breaks_off_is_logged_once() {
    let model = StreamingModel::start().await;
    let gateway = Gateway::start(&model.url).await;
    let whole = streamed(CHAT, TEXT, &json!({}));
    let script = Script::cut(&whole[..whole.len() / 2], &[400]);
    for breaks in [true, false] {
        model.plays(Script { breaks, ..script.clone() });
        let body = posted(&gateway, CHAT, "hello").await.text().await.unwrap();
        assert!(body.contains("the model ended its answer early"), "{body}");
    }
    let entries = gateway.guarded.logs("").await;
    assert_eq!(entries.len(), 2);
    assert!(entries.iter().all(|entry| entry["credits"] == 2));
    assert!(entries.iter().all(|entry| tokens(entry) == (Value::Null, Value::Null)), "nothing was reported");
}

#[tokio::test]
async fn a_client_that_leaves_a_stream_is_logged_and_charged_once() {
    let model = StreamingModel::start().await;
    let gateway = Gateway::start(&model.url).await;
    let script = Script::cut(&streamed(CHAT, TEXT, &json!({})), &[2_000]);
    model.plays(Script { pause: Duration::from_millis(200), ..script });
    let mut response = posted(&gateway, CHAT, "hello").await;
    response.chunk().await.unwrap().unwrap();
    drop(response);
    let guarded = &gateway.guarded;
    let entry = until("the call is logged", async || guarded.logs("").await.pop()).await;
    assert_eq!(entry["credits"], 2);
    // The pause of the model, less what clocks differ by.
    assert!(entry["upstream_time_ms"].as_u64().unwrap() >= 150, "{entry}");
    guarded.service.write_activity().await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(guarded.logs("").await.len(), 1);
    assert_eq!(guarded.service.charges(&guarded.token).await, 1);
}

#[tokio::test]
async fn an_answer_that_is_no_stream_is_not_passed_on() {
    let model = guardengine_test_support::fake_server::FakeServer::start(|_| {
        (200, answer(CHAT, "the plan of Aurora", &json!({})))
    })
    .await;
    let gateway = Gateway::start(&model.url).await;
    let response = posted(&gateway, CHAT, "hello").await;
    assert_eq!(response.status(), 502);
    assert!(!response.text().await.unwrap().contains("Aurora"));
}
