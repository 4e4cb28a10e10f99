//! The MCP server behind a connector.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue};
use guardengine_auth::Principal;
use guardengine_egress::{Error as EgressError, OpenResponse};
use guardengine_integrations::{
    Integrations,
    connectors::{OpenConnector, open},
    mcp,
};
use guardengine_store::Connector;
use serde_json::Value;
use uuid::Uuid;

use crate::{http::Error, surfaces::sse::EventReader};

/// Longest time until an answer begins: tools may work for long.
const BEGIN: Duration = Duration::from_mins(5);
/// Longest time in which nothing of an answer arrives.
const IDLE: Duration = Duration::from_mins(2);
/// Largest answer, in bytes.
const MAX_ANSWER: usize = 8 << 20;
/// Headers of the client that the server gets.
const PASSED_ON: [&str; 2] = [mcp::SESSION_HEADER, "mcp-protocol-version"];

/// An MCP server, ready for calls.
pub struct Server {
    integrations: Integrations,
    connector: OpenConnector,
    headers: Vec<(&'static str, String)>,
}

/// An answer of a server.
pub struct Answer {
    /// The JSON-RPC message.
    pub message: Value,
    /// The session that the server began, if any.
    pub session: Option<HeaderValue>,
}

impl Server {
    /// Opens the server behind a connector of the caller's organization.
    pub async fn open(
        integrations: &Integrations,
        caller: &Principal,
        id: Uuid,
        headers: &HeaderMap,
    ) -> Result<Self, Error> {
        let stored = integrations.db.connector(caller.org_id, id).await?;
        let stored = stored.filter(|stored| stored.connector_type == mcp::CONNECTOR_TYPE);
        let stored = stored.ok_or_else(|| Error::not_found("connector"))?;
        if !stored.enabled {
            return Err(Error::forbidden("connector not active"));
        }
        let connector = open(&integrations.vault, stored).await.map_err(Error::from)?;
        let passed_on = |name: &&'static str| Some((*name, headers.get(*name)?.to_str().ok()?.to_owned()));
        let headers = PASSED_ON.iter().filter_map(passed_on).collect();
        Ok(Self { integrations: integrations.clone(), connector, headers })
    }

    /// Returns the identifiers of the organization and the connector.
    pub const fn key(&self) -> (Uuid, Uuid) {
        (self.connector.stored.org_id, self.connector.stored.id)
    }

    /// Returns the connector.
    pub const fn connector(&self) -> &Connector {
        &self.connector.stored
    }

    /// Sends a message with further headers, and returns when the answer begins.
    pub async fn send(
        &self,
        method: &str,
        name: Option<&str>,
        message: String,
        headers: &[(String, String)],
    ) -> Result<OpenResponse, EgressError> {
        let call = mcp::request(&self.connector, message).header("mcp-method", method);
        let call = headers.iter().fold(call, |call, (name, value)| call.header(name, value));
        let call = name.into_iter().fold(call, |call, name| call.header("mcp-name", name));
        let call = self.headers.iter().fold(call, |call, (name, value)| call.header(*name, value));
        self.integrations.egress.open(call.within(BEGIN)).await
    }

    /// Reads the answer to the request with this identifier, from JSON or from a stream of events. Other messages of a
    /// stream, such as progress, are dropped.
    pub async fn read(response: OpenResponse, id: &Value) -> Result<Answer, EgressError> {
        let header = |name: &str| response.headers().get(name).cloned();
        let session = header(mcp::SESSION_HEADER);
        let kind = header("content-type");
        let is_stream = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        let body = if is_stream {
            last_answer(response, id).await?
        } else {
            let bytes = response.read(MAX_ANSWER, IDLE).await?;
            serde_json::from_slice(&bytes).unwrap_or_default()
        };
        Ok(Answer { message: body, session })
    }
}

async fn last_answer(mut response: OpenResponse, id: &Value) -> Result<Value, EgressError> {
    let (mut events, mut read) = (EventReader::default(), 0);
    while let Some(chunk) = response.chunk(IDLE).await? {
        read += chunk.len();
        if read > MAX_ANSWER {
            return Err(EgressError::TooLarge(MAX_ANSWER));
        }
        let Ok(arrived) = events.feed(&chunk) else { break };
        let messages = arrived.iter().filter_map(|event| serde_json::from_str::<Value>(&event.data).ok());
        if let Some(answer) = messages.into_iter().find(|message| message.get("id") == Some(id)) {
            return Ok(answer);
        }
    }
    Ok(Value::Null)
}
