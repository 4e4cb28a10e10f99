use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_guard::{Guard, attachments::MediaStatus};
use guardengine_log_export::{self, StatusReport};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    app::{Operations, Tenants},
    http::{Answer, Error, Json},
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

/// Check readiness
#[utoipa::path(
    get, path = "/readyz", tag = "system", operation_id = "system_health_ready",
    responses(
        (status = 200, description = "The service is ready", body = Health),
        (status = 503, description = "The service is not ready; `detail` gives the reason", body = ErrorBody),
    )
)]
pub async fn ready(
    State(tenants): State<Tenants>,
    State(operations): State<Operations>,
    State(guard): State<Guard>,
) -> Answer<Health> {
    tenants.db.ping().await.map_err(|_| Error::unavailable("the store does not answer"))?;
    let log_export = operations.log_export.as_ref().map(|export| export.status().report());
    Ok(Json(Health { status: "ok", media: Some(guard.media_workers().status()), log_export }))
}
