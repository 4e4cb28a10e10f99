//! The MCP server. The messages are those of the Python SDK 2.3.

use serde_json::{Value, json};

use super::{Guarded, ORDER, key};
use crate::support::{Response, send};

fn message(method: &str, params: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "id": 1, "method": method });
    message["params"] = params;
    message
}

async fn call(guarded: &Guarded, tool: &str, arguments: Value) -> Value {
    let answer =
        guarded.post("/mcp", &message("tools/call", json!({ "name": tool, "arguments": arguments }))).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let result = answer.body["result"].clone();
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"]);
    result
}

#[tokio::test]
async fn clients_of_any_version_learn_what_there_is() {
    let guarded = Guarded::start().await;
    let result = async |message: Value| guarded.post("/mcp", &message).await.body["result"].clone();
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {} });
    let found = result(message("server/discover", json!({ "_meta": meta }))).await;
    assert_eq!(
        (&found["supportedVersions"], &found["resultType"]),
        (&json!(["2026-07-28"]), &json!("complete"))
    );
    for (asked, answered) in
        [("2025-06-18", "2025-06-18"), ("2026-07-28", "2025-11-25"), ("1999", "2025-11-25")]
    {
        let found =
            result(message("initialize", json!({ "protocolVersion": asked, "capabilities": {} }))).await;
        assert_eq!(found["protocolVersion"], answered, "{asked}");
        assert_eq!(found["serverInfo"]["name"], "guardengine");
    }
    let listed = result(message("tools/list", json!({}))).await;
    let names: Vec<_> =
        listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["guard_check", "mask_pii", "unmask"]);
    let note =
        guarded.post("/mcp", &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    assert_eq!((note.status, note.body), (202, Value::Null));
}

#[tokio::test]
async fn tools_check_mask_and_unmask() {
    let guarded = Guarded::start().await;
    let checked = call(&guarded, "guard_check", json!({ "text": ORDER })).await;
    assert_eq!(checked["structuredContent"]["overall_decision"], "block");
    assert_eq!(checked["isError"], false);
    let response =
        call(&guarded, "guard_check", json!({ "text": "to jane@example.com", "direction": "output" })).await;
    assert_eq!(response["structuredContent"]["masked_text"], "to [EMAIL_REDACTED]");
    let masked =
        call(&guarded, "mask_pii", json!({ "text": "to jane@example.com", "strategy": "token" })).await;
    let (masked, found) =
        (&masked["structuredContent"]["masked_text"], &masked["structuredContent"]["pii_found"]);
    assert_eq!(found, &json!(["email"]));
    let restored = call(&guarded, "unmask", json!({ "text": masked })).await;
    assert_eq!(restored["structuredContent"], json!({ "text": "to jane@example.com", "restored": 1 }));
    let logs = guarded.logs("surface=mcp").await;
    let mut endpoints: Vec<_> = logs.iter().map(|log| log["endpoint"].as_str().unwrap()).collect();
    endpoints.sort_unstable();
    assert_eq!(endpoints, ["analyze", "mask", "validate"]);
}

#[tokio::test]
async fn a_refused_tool_is_an_error_that_the_model_reads() {
    let guarded = Guarded::start().await;
    let analyzes = key(&guarded.service, &guarded.token, "&permissions=FIREWALL:ANALYZE").await;
    let body = message("tools/call", json!({ "name": "unmask", "arguments": { "text": "a" } }));
    let answer = send(guarded.service.post("/mcp").bearer_auth(analyzes).json(&body)).await;
    let result = &answer.body["result"];
    assert_eq!(result["isError"], true);
    assert_eq!(result["structuredContent"]["detail"], "missing required permission: FIREWALL:UNMASK");
}

#[tokio::test]
async fn errors_are_those_of_json_rpc() {
    let guarded = Guarded::start().await;
    let error = |answer: Response| {
        let error = &answer.body["error"];
        (answer.status, error["code"].as_i64().unwrap(), error["message"].as_str().unwrap().to_owned())
    };
    let sent = async |message: Value| error(guarded.post("/mcp", &message).await);
    assert_eq!(
        sent(message("tools/fly", json!({}))).await,
        (404, -32601, "method not found: tools/fly".to_owned())
    );
    assert_eq!(sent(message("tools/call", json!({ "name": "fly" }))).await.2, "unknown tool: fly");
    let without = message("tools/call", json!({ "name": "guard_check", "arguments": {} }));
    assert_eq!(sent(without).await, (400, -32602, "field required: text".to_owned()));
    assert_eq!(sent(json!({ "method": "ping" })).await.1, -32600);
    let newer = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2099-01-01" } });
    assert_eq!(sent(message("tools/list", newer)).await.1, -32022);
    let request = guarded.service.post("/mcp").bearer_auth(&guarded.key).header("Mcp-Method", "tools/list");
    let mismatch = error(send(request.json(&message("ping", json!({})))).await);
    assert_eq!(mismatch, (400, -32020, "Mcp-Method: must be what the message says".to_owned()));
    let unread = error(send(guarded.service.post("/mcp").bearer_auth(&guarded.key).body("{")).await);
    assert_eq!((unread.0, unread.1), (400, -32700));
}
