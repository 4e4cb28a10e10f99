use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_guard::{Guard, attachments::MediaStatus};
use guardengine_log_export::{self, StatusReport};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use crate::{
    app::Operations,
    http::{Answer, Error, FromFields, Json, Query},
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
}

/// Check liveness
#[utoipa::path(
    get, path = "/healthz", tag = "system", operation_id = "system_health_live",
    responses((status = 200, description = "The process is running", body = Health))
)]
pub async fn live() -> Json<Health> {
    Json(Health { status: "ok", media: None, log_export: None })
}

/// What a readiness check covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// Everything that an answer needs.
    Service,
    /// What this replica alone may lack. A database that all replicas share does not count.
    Replica,
}

const SCOPES: [(&str, Scope); 2] = [("service", Scope::Service), ("replica", Scope::Replica)];

/// Parameters of the readiness check.
#[derive(Clone, Copy, Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReadinessQuery {
    /// `service` (default): everything that an answer needs. `replica`: what this replica alone may lack; a PostgreSQL
    /// database, which all replicas share, does not count.
    #[param(value_type = Option<String>)]
    scope: Scope,
}

impl FromFields for ReadinessQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { scope: fields.choice("scope", &SCOPES)?.unwrap_or(Scope::Service) })
    }
}

/// Check readiness
#[utoipa::path(
    get, path = "/readyz", tag = "system", operation_id = "system_health_ready", params(ReadinessQuery),
    responses(
        (status = 200, description = "The service is ready", body = Health),
        (status = 503, description = "The service is not ready; `detail` gives the reason", body = ErrorBody),
    )
)]
pub async fn ready(
    State(operations): State<Operations>,
    State(guard): State<Guard>,
    Query(query): Query<ReadinessQuery>,
) -> Answer<Health> {
    let store = &operations.health;
    let counts_store = !(query.scope == Scope::Replica && store.is_shared());
    if counts_store && !store.is_up() {
        return Err(Error::unavailable("the store does not answer"));
    }
    if counts_store && !store.is_writable() {
        return Err(Error::unavailable("the store accepts no writes"));
    }
    let log_export = operations.log_export.as_ref().map(|export| export.status().report());
    Ok(Json(Health { status: "ok", media: Some(guard.media_workers().status()), log_export }))
}
