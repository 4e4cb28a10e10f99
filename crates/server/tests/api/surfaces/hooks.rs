//! Hooks of coding agents, with inputs as their documentation shows them.

use serde_json::{Value, json};

use super::{Guarded, ORDER};

const CLAUDE: &str = "/v1/hooks/claude-code";
const CODEX: &str = "/v1/hooks/codex";

fn event(name: &str, more: Value) -> Value {
    let mut event = json!({ "session_id": "abc123", "transcript_path": "/tmp/t.jsonl", "cwd": "/work",
        "permission_mode": "default", "hook_event_name": name });
    let Value::Object(more) = more else { unreachable!("events are objects") };
    event.as_object_mut().unwrap().extend(more);
    event
}

async fn asked(guarded: &Guarded, path: &str, event: &Value) -> Value {
    let answer = guarded.post(path, event).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

#[tokio::test]
async fn what_is_allowed_gets_an_empty_object() {
    let guarded = Guarded::start().await;
    for path in [CLAUDE, CODEX] {
        for event in [
            event("UserPromptSubmit", json!({ "prompt": "Add a test" })),
            event(
                "PreToolUse",
                json!({ "tool_name": "Bash", "tool_input": { "command": "ls", "timeout": 7 } }),
            ),
            event(
                "PostToolUse",
                json!({ "tool_name": "Bash", "tool_input": {}, "tool_response": { "stdout": "a" } }),
            ),
            event("SessionStart", json!({ "source": "startup" })),
        ] {
            assert_eq!(asked(&guarded, path, &event).await, json!({}), "{path}: {event}");
        }
    }
    assert_eq!(guarded.logs("surface=codex").await.len(), 3);
}

#[tokio::test]
async fn prompts_tool_calls_and_results_are_blocked_in_their_own_ways() {
    let guarded = Guarded::start().await;
    let prompt = event("UserPromptSubmit", json!({ "prompt": ORDER }));
    let call = event(
        "PreToolUse",
        json!({ "tool_name": "Bash", "tool_use_id": "toolu_1",
        "tool_input": { "command": "cat aurora" } }),
    );
    let result = event(
        "PostToolUse",
        json!({ "tool_name": "WebFetch", "tool_use_id": "toolu_1", "tool_input": {},
        "tool_response": { "code": 200, "result": ORDER } }),
    );
    for path in [CLAUDE, CODEX] {
        let answer = asked(&guarded, path, &prompt).await;
        assert_eq!(answer["decision"], "block");
        assert!(answer["reason"].as_str().unwrap().contains("prompt_injection"), "{answer}");
        let answer = asked(&guarded, path, &call).await;
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}");
        assert_eq!(asked(&guarded, path, &result).await["decision"], "block");
    }
    let answer = asked(&guarded, CLAUDE, &result).await;
    let removed = json!({ "code": 200, "result": "[removed by the guardrail policy]" });
    assert_eq!(answer["hookSpecificOutput"]["updatedToolOutput"], removed);
    let logs = guarded.logs("surface=claude_code").await;
    assert!(logs.iter().all(|log| log["conversation_id"] == "abc123"));
    // The prompt has no identifier; the call and the two results have that of the tool.
    assert_eq!(logs.iter().filter(|log| log["foreign_id"] == "toolu_1").count(), 3);
}

#[tokio::test]
async fn personal_data_is_masked_where_the_agent_takes_changes_and_stopped_elsewhere() {
    let guarded = Guarded::start().await;
    let mail = "mail jane@example.com";
    let prompt = event("UserPromptSubmit", json!({ "prompt": mail }));
    let call =
        event("PreToolUse", json!({ "tool_name": "Bash", "tool_input": { "command": mail, "timeout": 7 } }));
    let result = event(
        "PostToolUse",
        json!({ "tool_name": "Bash", "tool_input": {},
        "tool_response": { "stdout": ["a", mail] } }),
    );
    for path in [CLAUDE, CODEX] {
        assert_eq!(asked(&guarded, path, &prompt).await["decision"], "block");
    }
    let masked = "mail [EMAIL_REDACTED]";
    let output = asked(&guarded, CLAUDE, &call).await["hookSpecificOutput"].take();
    assert_eq!(output["updatedInput"], json!({ "command": masked, "timeout": 7 }));
    let output = asked(&guarded, CLAUDE, &result).await["hookSpecificOutput"].take();
    assert_eq!(output["updatedToolOutput"], json!({ "stdout": ["a", masked] }));
    let output = asked(&guarded, CODEX, &call).await["hookSpecificOutput"].take();
    assert_eq!(output["permissionDecision"], "deny");
    let output = asked(&guarded, CODEX, &result).await;
    assert_eq!(
        output,
        json!({ "decision": "block", "reason": format!("{{\"stdout\":[\"a\",\"{masked}\"]}}") })
    );
}

#[tokio::test]
async fn invalid_events_name_the_field() {
    let guarded = Guarded::start().await;
    guarded.post(CLAUDE, &json!({})).await.refuses(422, "field required: hook_event_name");
    guarded.post(CLAUDE, &event("PreToolUse", json!({}))).await.refuses(422, "field required: tool_input");
}
