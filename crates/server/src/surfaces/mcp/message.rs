//! Messages of JSON-RPC 2.0, and the headers that repeat what they say.

use axum::http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use super::VERSIONS;

/// The body is not JSON.
pub const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
/// A header says something else than the message.
const HEADER_MISMATCH: i64 = -32020;
const UNSUPPORTED_VERSION: i64 = -32022;
/// The service refused: see the message.
pub const SERVICE_ERROR: i64 = -32000;

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// An error of a message.
#[derive(Debug)]
pub struct RpcError {
    status: StatusCode,
    code: i64,
    message: String,
    data: Option<Value>,
}

impl RpcError {
    fn new(status: StatusCode, code: i64, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), data: None }
    }

    /// The method does not exist.
    pub fn unknown_method(method: &str) -> Self {
        let shown: String = method.chars().take(100).collect();
        Self::new(StatusCode::NOT_FOUND, METHOD_NOT_FOUND, format!("method not found: {shown}"))
    }

    /// A parameter is missing or invalid.
    pub fn params(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, INVALID_PARAMS, message)
    }

    /// The service or a server behind it refused; the request itself is valid.
    pub fn service(message: impl Into<String>) -> Self {
        Self::new(StatusCode::OK, SERVICE_ERROR, message)
    }

    /// Returns the status of the response.
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the error object.
    pub fn body(&self) -> Value {
        let mut body = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            body["data"] = data.clone();
        }
        body
    }
}

/// A request, or a notification if it has no identifier.
#[derive(Debug)]
pub struct Message<'v> {
    pub id: Option<&'v Value>,
    pub method: &'v str,
    pub params: &'v Value,
}

impl<'v> Message<'v> {
    /// Reads a message.
    pub fn of(body: &'v Value) -> Result<Self, RpcError> {
        let invalid = |message: &str| RpcError::new(StatusCode::BAD_REQUEST, INVALID_REQUEST, message);
        if body["jsonrpc"] != "2.0" {
            return Err(invalid("jsonrpc: must be \"2.0\""));
        }
        let method = body["method"].as_str().ok_or_else(|| invalid("method: must be a string"))?;
        let id = body.get("id").filter(|id| !id.is_null());
        if id.is_some_and(|id| !(id.is_string() || id.is_number())) {
            return Err(invalid("id: must be a string or a number"));
        }
        Ok(Self { id, method, params: &body["params"] })
    }

    /// Returns the version that the message names; `None` before 2026-07-28.
    fn version(&self) -> Option<&'v str> {
        self.params["_meta"][VERSION_KEY].as_str()
    }
}

/// Checks that headers say what the message says: proxies route by the headers.
pub fn headers_match(headers: &HeaderMap, message: &Message<'_>) -> Result<(), RpcError> {
    let header = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let differs = |name: &str, value: Option<&str>| header(name).is_some_and(|header| Some(header) != value);
    let mismatch = |name: &str| {
        let message = format!("{name}: must be what the message says");
        RpcError::new(StatusCode::BAD_REQUEST, HEADER_MISMATCH, message)
    };
    if differs("mcp-method", Some(message.method)) {
        return Err(mismatch("Mcp-Method"));
    }
    if message.method == "tools/call" && differs("mcp-name", message.params["name"].as_str()) {
        return Err(mismatch("Mcp-Name"));
    }
    if message.version().is_some() && differs("mcp-protocol-version", message.version()) {
        return Err(mismatch("MCP-Protocol-Version"));
    }
    match message.version().or_else(|| header("mcp-protocol-version")) {
        Some(version) if !VERSIONS.contains(&version) => Err(RpcError {
            data: Some(json!({ "supported": VERSIONS, "requested": version })),
            ..RpcError::new(StatusCode::BAD_REQUEST, UNSUPPORTED_VERSION, "unsupported protocol version")
        }),
        _ => Ok(()),
    }
}
