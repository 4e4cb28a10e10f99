//! MCP servers behind connectors: requests over streamable HTTP.
//!
//! Source: <https://modelcontextprotocol.io/specification/draft/basic/transports>. Since version 2026-07-28 each request
//! stands alone; servers of earlier versions may begin a session with `initialize`.

use guardengine_egress::Request;
use serde_json::json;

use crate::connectors::OpenConnector;

/// Wire name of the connector type.
pub const CONNECTOR_TYPE: &str = "mcp_server";
/// Header that names the session of servers before 2026-07-28.
pub const SESSION_HEADER: &str = "mcp-session-id";

/// Returns the request that passes a message on.
pub fn request(connector: &OpenConnector, message: impl Into<Vec<u8>>) -> Request {
    let request = Request::post(connector.stored.id, connector.text("base_url"), message)
        .header("accept", "application/json, text/event-stream");
    match connector.text("token") {
        "" => request,
        token => request.bearer(token),
    }
}

/// Returns a request that lists the tools, as a check of the connector.
pub fn check(connector: &OpenConnector) -> Request {
    const VERSION: &str = "2026-07-28";
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientInfo": { "name": "guardengine", "version": env!("CARGO_PKG_VERSION") },
        "io.modelcontextprotocol/clientCapabilities": {},
    } } });
    request(connector, message.to_string())
        .header("mcp-protocol-version", VERSION)
        .header("mcp-method", "tools/list")
}

/// Returns a request that begins a session, as a check of a server of an earlier version.
pub fn check_session(connector: &OpenConnector) -> Request {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "guardengine", "version": env!("CARGO_PKG_VERSION") },
    } });
    request(connector, message.to_string())
}
