use axum::{
    body::Body,
    extract::State,
    http::{HeaderName, HeaderValue, header},
    response::{IntoResponse as _, Response},
};
use guardengine_api_types::ErrorBody;
use guardengine_guard::Guard;
use utoipa::ToSchema;

use super::response::seen_by;
use crate::{
    app::Tenants,
    http::{Caller, Error, PathId},
};

/// A WAV file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "describes the response")]
struct WavFile(Vec<u8>);

/// Download the muted audio of a job
///
/// WAV of 16 kHz with personal data muted, if the action of the decision is `mask` and the call had `silence_pii`.
#[utoipa::path(
    get, path = "/api/jobs/{job_id}/audio", tag = "jobs", operation_id = "jobs_audio",
    params(("job_id" = uuid::Uuid, Path, description = "Job identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The audio", content((inline(WavFile) = "audio/wav"))),
        (status = 404, description = "Job not found or not visible to the caller, or it has no muted audio on this replica", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Result<Response, Error> {
    let job = seen_by(&tenants, &caller, id).await?;
    let audio = guard.job_audio(&job).await?.ok_or_else(|| Error::not_found("audio"))?;
    let name = format!("attachment; filename=\"{id}.wav\"");
    let headers: [(HeaderName, HeaderValue); 3] = [
        (header::CONTENT_TYPE, HeaderValue::from_static("audio/wav")),
        (header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).map_err(Error::internal)?),
        (header::CONTENT_LENGTH, HeaderValue::from(audio.length())),
    ];
    Ok((headers, Body::from_stream(audio.chunks())).into_response())
}
