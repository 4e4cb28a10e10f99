//! Calls of the providers behind a route.

use std::time::Duration;

use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use guardengine_auth::Principal;
use guardengine_egress::{Error as EgressError, OpenResponse};
use guardengine_integrations::{
    Integrations,
    connectors::{OpenConnector, open},
    llm::gateway::{WireFormat, request},
};
use guardengine_store::Connector;
use uuid::Uuid;

use super::{json::is_json, settings::GatewayRoute};
use crate::http::Error;

/// Longest time until an answer begins. Clients of the providers wait as long.
const BEGIN: Duration = Duration::from_mins(10);
/// Largest error of a provider, in bytes.
const MAX_ERROR: usize = 256 << 10;
/// Headers of the client that the provider gets.
const PASSED_ON: [&str; 3] = ["anthropic-beta", "openai-beta", "idempotency-key"];

/// The connectors of a route, ready for a call.
pub struct Upstream {
    integrations: Integrations,
    format: WireFormat,
    model: Option<String>,
    connectors: Vec<OpenConnector>,
    headers: Vec<(&'static str, String)>,
}

impl Upstream {
    /// Opens the connectors of a route.
    pub async fn of(
        integrations: &Integrations,
        caller: &Principal,
        route: &GatewayRoute,
        format: WireFormat,
        headers: &HeaderMap,
    ) -> Result<Self, Error> {
        let mut connectors = Vec::new();
        for id in std::iter::once(route.connector_id).chain(route.fallback_connector_id) {
            let stored = connector(integrations, caller, id, format).await?;
            if stored.enabled {
                connectors.push(open(&integrations.vault, stored).await.map_err(Error::from)?);
            }
        }
        if connectors.is_empty() {
            return Err(Error::forbidden("connector not active"));
        }
        let passed_on = |name: &&'static str| Some((*name, headers.get(*name)?.to_str().ok()?.to_owned()));
        Ok(Self {
            integrations: integrations.clone(),
            format,
            model: route.upstream_model.clone(),
            connectors,
            headers: PASSED_ON.iter().filter_map(passed_on).collect(),
        })
    }

    /// Passes a call on with further headers, and returns when the answer begins. Tries the next connector when one
    /// fails.
    pub async fn call(&self, body: &str, headers: &[(String, String)]) -> Result<OpenResponse, EgressError> {
        let mut outcome = Err(EgressError::Busy);
        for (at, connector) in self.connectors.iter().enumerate() {
            let is_last = at + 1 == self.connectors.len();
            let call = request(connector, self.format, self.model.as_deref(), body);
            let call = self.headers.iter().fold(call, |call, (name, value)| call.header(*name, value));
            let call = headers.iter().fold(call, |call, (name, value)| call.header(name, value));
            let call = call.within(BEGIN).at_most(MAX_ERROR);
            // A repeated call costs money but changes nothing.
            let call = if is_last { call.repeatable() } else { call };
            outcome = self.integrations.egress.open(call).await;
            match &outcome {
                Err(error) if !is_last && is_failure(error) => {
                    tracing::warn!(%error, connector = %connector.stored.id, "a model failed, trying its fallback");
                }
                Err(error) => {
                    tracing::warn!(%error, connector = %connector.stored.id, "a model failed");
                    break;
                }
                Ok(_) => break,
            }
        }
        outcome
    }
}

/// Returns a connector that takes calls of this format.
async fn connector(
    integrations: &Integrations,
    caller: &Principal,
    id: Uuid,
    format: WireFormat,
) -> Result<Connector, Error> {
    let stored = integrations.db.connector(caller.org_id, id).await?;
    let stored = stored.ok_or_else(|| Error::not_found("connector"))?;
    if !format.is_spoken_by(&stored.connector_type) {
        let kind = &stored.connector_type;
        return Err(Error::bad_request(format!(
            "model: connectors of type {kind} do not take calls of this path"
        )));
    }
    Ok(stored)
}

/// Returns whether another provider may answer where one failed.
fn is_failure(error: &EgressError) -> bool {
    match error {
        EgressError::Status(response) => matches!(response.status, 401 | 403 | 404 | 408 | 429 | 500..),
        EgressError::Blocked(_) => false,
        _ => true,
    }
}

/// Returns the response to a call that failed. Errors of the provider keep their form, but for those about the
/// connector's credentials, which the client cannot change.
pub fn failed(error: &EgressError) -> Response {
    let response = match error {
        EgressError::Status(response) => response,
        EgressError::TimedOut(_) => {
            return Error::new(StatusCode::GATEWAY_TIMEOUT, "the model did not answer in time")
                .into_response();
        }
        EgressError::Busy | EgressError::CircuitOpen(_) => {
            return Error::unavailable("the model is not available, try again later").into_response();
        }
        _ => return unusable(),
    };
    let status = StatusCode::from_u16(response.status).unwrap_or(StatusCode::BAD_GATEWAY);
    let body = String::from_utf8_lossy(&response.body).into_owned();
    if matches!(response.status, 401 | 403)
        || !is_json(&body)
        || !(status.is_client_error() || status.is_server_error())
    {
        return Error::new(
            StatusCode::BAD_GATEWAY,
            format!("the provider of the model {error}").replace(" it ", " "),
        )
        .into_response();
    }
    let mut passed_on = (status, [(header::CONTENT_TYPE, "application/json")], body).into_response();
    if let Some(wait) = response.headers.get(header::RETRY_AFTER) {
        passed_on.headers_mut().insert(header::RETRY_AFTER, wait.clone());
    }
    passed_on
}

/// Returns the response to an answer that cannot be read.
pub fn unusable() -> Response {
    Error::new(StatusCode::BAD_GATEWAY, "the model cannot be reached, or its answer cannot be read")
        .into_response()
}
