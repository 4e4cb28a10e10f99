//! A guarded proxy in front of MCP servers, at `/mcp/{connector_id}`.
//!
//! Arguments, which go to the server, are evaluated as a response, and what comes back (tool definitions, results,
//! instructions) as documents: both in one log entry. Tool definitions are kept when they are first seen; a tool whose
//! definition differs later is neither offered nor called until somebody accepts the change. Only requests whose meaning
//! is known are passed on.

mod binaries;
mod exchange;
mod tools;
mod upstream;

use axum::{
    extract::{Path, Request, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Response},
    routing::post,
};
use guardengine_auth::permission;
use guardengine_guard::{Operation, outcome_counter};
use guardengine_integrations::Integrations;
use uuid::Uuid;

use self::{exchange::Exchange, upstream::Server};
use super::{
    error,
    message::{Message, RpcError, headers_match},
    refused,
};
use crate::{
    app::{App, Tenants},
    http::{Access, Error, json as json_body},
    surfaces::{GatewayCalls, SurfaceRoute, call::SurfaceCaller, route},
};

/// Name in log entries.
const NAME: &str = "mcp_proxy";

/// A request to a server, and which of its parameters are evaluated.
struct Method {
    name: &'static str,
    /// Parameters whose texts go to the server on behalf of the model or the user.
    sent: &'static [&'static str],
}

/// Answers of a user to a server that asked back within a request.
const ANSWERS: &str = "inputResponses";

/// Requests that are passed on.
const METHODS: [Method; 11] = [
    Method { name: "initialize", sent: &[] },
    Method { name: "server/discover", sent: &[] },
    Method { name: "ping", sent: &[] },
    Method { name: "tools/list", sent: &[] },
    Method { name: "tools/call", sent: &["arguments", ANSWERS] },
    Method { name: "resources/list", sent: &[] },
    Method { name: "resources/templates/list", sent: &[] },
    Method { name: "resources/read", sent: &["uri", ANSWERS] },
    Method { name: "prompts/list", sent: &[] },
    Method { name: "prompts/get", sent: &["arguments", ANSWERS] },
    Method { name: "completion/complete", sent: &["argument", "context"] },
];
/// Notifications that are passed on.
const NOTIFICATIONS: [&str; 2] = ["notifications/initialized", "notifications/cancelled"];

/// The routes of the proxy.
pub fn routes() -> Vec<SurfaceRoute> {
    let access = Access::Needs(permission::ANALYZE);
    vec![route("/mcp/{connector_id}", access, Operation::Analyze, post(handle), error)]
}

async fn handle(
    State(app): State<App>,
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    State(calls): State<GatewayCalls>,
    caller: SurfaceCaller,
    Path(connector_id): Path<String>,
    request: Request,
) -> Result<Response, Error> {
    caller.needs(permission::VALIDATE)?;
    let id: Uuid = connector_id.parse().map_err(|_| Error::not_found("connector"))?;
    let server = Server::open(&integrations, &caller.principal, id, request.headers()).await?;
    let headers = request.headers().clone();
    let body = json_body(request, &app).await?;
    let exchange = match read(&headers, &body) {
        Ok((message, None)) => return notify(&server, message, &body).await,
        Ok((message, Some(method))) => Exchange::new(tenants, caller, server, method, &message, &body),
        Err(error) => Err(error),
    };
    match exchange {
        // A task of its own: a client that hangs up does not keep the call out of the log.
        Ok(exchange) => calls.spawn(exchange.run()).await.map_err(Error::internal)?,
        Err(error) => {
            outcome_counter::mark_recorded();
            Ok(refused(body.get("id"), &error))
        }
    }
}

/// Reads a message. Its method is `None` for a notification.
fn read<'v>(
    headers: &HeaderMap,
    body: &'v serde_json::Value,
) -> Result<(Message<'v>, Option<&'static Method>), RpcError> {
    let message = Message::of(body)?;
    headers_match(headers, &message)?;
    if message.id.is_none() {
        let is_known = NOTIFICATIONS.contains(&message.method);
        return is_known.then_some((message, None)).ok_or_else(|| RpcError::unknown_method("notification"));
    }
    match METHODS.iter().find(|method| method.name == message.method) {
        Some(method) => Ok((message, Some(method))),
        None => Err(RpcError::unknown_method(message.method)),
    }
}

/// Passes a notification on, which has no answer.
async fn notify(server: &Server, message: Message<'_>, body: &serde_json::Value) -> Result<Response, Error> {
    outcome_counter::mark_recorded();
    if let Err(error) = server.send(message.method, None, body.to_string(), &[]).await {
        tracing::debug!(%error, "an MCP server did not take a notification");
    }
    Ok(StatusCode::ACCEPTED.into_response())
}
