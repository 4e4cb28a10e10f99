use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    http::{Answer, Error, ErrorBody, Json},
    log_export::{self, StatusReport},
    media::MediaStatus,
};

/// How the service stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`
    status: &'static str,
    /// Whether pictures and recordings can be read; the rest works without.
    #[serde(skip_serializing_if = "Option::is_none")]
    media: Option<MediaStatus>,
    /// How the export of log rows stands, where there is one; requests are judged without.
    #[serde(skip_serializing_if = "Option::is_none")]
    log_export: Option<StatusReport>,
}

/// Is the process serving?
#[utoipa::path(
    get, path = "/healthz", tag = "system", operation_id = "system_health_live",
    responses((status = 200, description = "It is", body = Health))
)]
pub async fn live() -> Json<Health> {
    Json(Health { status: "ok", media: None, log_export: None })
}

/// Can requests be judged?
#[utoipa::path(
    get, path = "/readyz", tag = "system", operation_id = "system_health_ready",
    responses(
        (status = 200, description = "They can", body = Health),
        (status = 503, description = "They cannot, and why", body = ErrorBody),
    )
)]
pub async fn ready(State(app): State<App>) -> Answer<Health> {
    app.db.ping().await.map_err(|_| Error::unavailable("the store does not answer"))?;
    let log_export = app.log_export.as_ref().map(log_export::ExportStatus::report);
    Ok(Json(Health { status: "ok", media: Some(app.media_workers.status()), log_export }))
}
