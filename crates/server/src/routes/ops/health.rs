use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_guard::{Guard, attachments::MediaStatus};
use guardengine_log_export::{self, StatusReport};
use guardengine_store::StoreHealth;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use crate::{
    app::{Operations, Tenants},
    doctor::{PartState, states},
    http::{Admission, FromFields, Json, Query},
};

/// Health of the service.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`
    status: &'static str,
    /// Availability of image and audio processing. Text is evaluated in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    media: Option<MediaStatus>,
    /// Status of the log export, if configured. Requests are evaluated in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    log_export: Option<StatusReport>,
    /// With `verbose`: the state of each part of the service.
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<Vec<PartState>>,
}

/// Reason why the service is not ready.
#[derive(Debug, Serialize, ToSchema)]
pub struct NotReady {
    /// Reason.
    detail: &'static str,
    /// With `verbose`: the state of each part of the service.
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<Vec<PartState>>,
}

/// Check liveness
#[utoipa::path(
    get, path = "/healthz", tag = "system", operation_id = "system_health_live",
    responses((status = 200, description = "The process is running", body = Health))
)]
pub async fn live() -> Json<Health> {
    Json(Health { status: "ok", media: None, log_export: None, checks: None })
}

/// Scope of a readiness check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// Everything that an answer needs.
    Service,
    /// Only what this replica alone may lack. A database that all replicas share does not count.
    Replica,
}

const SCOPES: [(&str, Scope); 2] = [("service", Scope::Service), ("replica", Scope::Replica)];

const VERBOSE: [(&str, bool); 3] = [("true", true), ("false", false), ("", true)];

/// Parameters of the readiness check.
#[derive(Clone, Copy, Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReadinessQuery {
    /// `service` (default): everything that an answer needs. `replica`: what this replica alone may lack; a PostgreSQL
    /// database, which all replicas share, does not count.
    #[param(value_type = Option<guardengine_api_types::choices::ReadinessScope>, inline)]
    scope: Scope,
    /// Adds `checks`: the state of each part of the service. Its presence is enough, as in `/readyz?verbose`.
    #[param(value_type = Option<bool>)]
    verbose: bool,
}

impl FromFields for ReadinessQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let scope = fields.choice("scope", &SCOPES)?.unwrap_or(Scope::Service);
        Ok(Self { scope, verbose: fields.choice("verbose", &VERBOSE)?.unwrap_or(false) })
    }
}

/// Check readiness
#[utoipa::path(
    get, path = "/readyz", tag = "system", operation_id = "system_health_ready", params(ReadinessQuery),
    responses(
        (status = 200, description = "The service is ready", body = Health),
        (status = 422, description = "Unknown value of a parameter", body = guardengine_api_types::ErrorBody),
        (status = 503, description = "The service is not ready; `detail` gives the reason", body = NotReady),
    )
)]
pub async fn ready(
    State(operations): State<Operations>,
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    State(admission): State<Admission>,
    Query(query): Query<ReadinessQuery>,
) -> Response {
    let checks =
        if query.verbose { Some(states(&operations, &tenants, &guard, &admission).await) } else { None };
    if let Some(detail) = missing(&operations.health, query.scope) {
        let retry_after = [(header::RETRY_AFTER, "1")];
        return (StatusCode::SERVICE_UNAVAILABLE, retry_after, Json(NotReady { detail, checks }))
            .into_response();
    }
    let log_export = operations.log_export.as_ref().map(|export| export.status().report());
    let media = Some(guard.media_workers().status());
    Json(Health { status: "ok", media, log_export, checks }).into_response()
}

/// Returns what the service lacks to be ready.
fn missing(store: &StoreHealth, scope: Scope) -> Option<&'static str> {
    if scope == Scope::Replica && store.is_shared() {
        return None;
    }
    match (store.is_up(), store.is_writable()) {
        (false, _) => Some("the store does not answer"),
        (true, false) => Some("the store accepts no writes"),
        (true, true) => None,
    }
}
