//! An MCP server over streamable HTTP: tools with which a model checks and masks texts itself.
//!
//! Stateless, as of MCP 2026-07-28: each request stands alone. Older clients may begin with `initialize`. A model decides
//! for itself whether it calls a tool, so this is no substitute for a guard around the model.

mod message;
mod proxy;
mod tools;

use axum::{
    Json,
    extract::{Request, State},
    http::StatusCode,
    response::{IntoResponse as _, Response},
    routing::post,
};
use guardengine_guard::{Operation, outcome_counter};
use serde_json::{Value, json};

use self::message::{Message, RpcError, headers_match};
use super::{SurfaceRoute, call::SurfaceCaller, route};
use crate::{
    app::App,
    http::{Access, Error, json as json_body},
};

/// Name in log entries.
const NAME: &str = "mcp";
/// Versions, the newest first. The first needs no `initialize`.
const VERSIONS: [&str; 5] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const INSTRUCTIONS: &str =
    "Check texts against the guardrail policy of a project before using them, and mask personal data.";

/// The routes of this surface. Each tool has a permission of its own.
pub fn routes() -> Vec<SurfaceRoute> {
    let server = route("/mcp", Access::SignedIn, Operation::Analyze, post(handle), error);
    std::iter::once(server).chain(proxy::routes()).collect()
}

/// Errors outside of a message: they have no identifier.
fn error(status: StatusCode, detail: &str) -> (StatusCode, Value) {
    let code = if status == StatusCode::UNPROCESSABLE_ENTITY {
        message::PARSE_ERROR
    } else {
        message::SERVICE_ERROR
    };
    let status = if status == StatusCode::UNPROCESSABLE_ENTITY { StatusCode::BAD_REQUEST } else { status };
    (status, json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": detail } }))
}

async fn handle(State(app): State<App>, caller: SurfaceCaller, request: Request) -> Result<Response, Error> {
    let headers = request.headers().clone();
    let body = json_body(request, &app).await?;
    let message = match Message::of(&body).and_then(|message| {
        headers_match(&headers, &message)?;
        Ok(message)
    }) {
        Ok(message) => message,
        Err(error) => {
            outcome_counter::mark_recorded();
            return Ok(refused(body.get("id"), &error));
        }
    };
    if message.id.is_none() {
        // A notification has no answer.
        outcome_counter::mark_recorded();
        return Ok(StatusCode::ACCEPTED.into_response());
    }
    Ok(match answer(&app, &caller, &message).await {
        Ok(result) => Json(json!({ "jsonrpc": "2.0", "id": message.id, "result": result })).into_response(),
        Err(error) => refused(message.id, &error),
    })
}

fn refused(id: Option<&Value>, error: &RpcError) -> Response {
    let body = json!({ "jsonrpc": "2.0", "id": id, "error": error.body() });
    (error.status(), Json(body)).into_response()
}

async fn answer(app: &App, caller: &SurfaceCaller, message: &Message<'_>) -> Result<Value, RpcError> {
    if message.method == "tools/call" {
        return tools::call(app, caller, message.params).await;
    }
    // The others evaluate nothing.
    outcome_counter::mark_recorded();
    match message.method {
        "initialize" => Ok(initialized(message.params)),
        "server/discover" => Ok(with_cache(json!({
            "supportedVersions": [VERSIONS[0]], "capabilities": { "tools": {} }, "serverInfo": server_info(),
            "instructions": INSTRUCTIONS,
        }))),
        "tools/list" => Ok(with_cache(json!({ "tools": tools::definitions() }))),
        "ping" => Ok(json!({ "resultType": "complete" })),
        _ => Err(RpcError::unknown_method(message.method)),
    }
}

fn server_info() -> Value {
    json!({ "name": "guardengine", "version": env!("CARGO_PKG_VERSION") })
}

/// Answers clients of earlier versions: with their version if it is known, else with the newest that has a handshake.
fn initialized(params: &Value) -> Value {
    let requested = params["protocolVersion"].as_str();
    let handshakes = &VERSIONS[1..];
    let version = handshakes.iter().find(|version| Some(**version) == requested).unwrap_or(&handshakes[0]);
    json!({ "protocolVersion": version, "capabilities": { "tools": {} }, "serverInfo": server_info(),
        "instructions": INSTRUCTIONS })
}

/// Adds what results that clients may keep need since 2026-07-28.
fn with_cache(mut result: Value) -> Value {
    result["resultType"] = "complete".into();
    result["ttlMs"] = 3_600_000.into();
    result["cacheScope"] = "private".into();
    result
}
