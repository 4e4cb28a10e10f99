use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    http::{Answer, Error, ErrorBody, Json},
    log_export::{self, StatusReport},
    media::MediaStatus,
};

/// Health of the service.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`
    status: &'static str,
    /// Whether images and audio can be processed. Text is evaluated in any case.
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
pub async fn ready(State(app): State<App>) -> Answer<Health> {
    app.db.ping().await.map_err(|_| Error::unavailable("the store does not answer"))?;
    let log_export = app.log_export.as_ref().map(log_export::ExportStatus::report);
    Ok(Json(Health { status: "ok", media: Some(app.media_workers.status()), log_export }))
}
