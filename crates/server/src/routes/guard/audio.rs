use std::sync::Arc;

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_api_types::ErrorBody;
use guardengine_auth::Principal;
use guardengine_engine::{
    fields::{FieldError, Fields},
    guardrail::Direction,
};
use guardengine_guard::{
    AudioDecision, ClientInfo, Guard, GuardRequest, Operation,
    attachments::{Attachments, Audio},
    submission::{Submission, Turn},
};
use guardengine_store::SideEffects;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    inputs::{DocumentText, HistoryTurn, MaskingChoice},
    request,
};
use crate::{
    app::Tenants,
    http::{Caller, Error, FromFields, Json, Upload, optional_id},
};

/// Audio to evaluate.
#[derive(Debug, ToSchema)]
pub struct Recording {
    /// Audio file: WAV, MP3, FLAC, Ogg, M4A or WebM.
    #[schema(value_type = String, format = Binary)]
    #[expect(dead_code, reason = "describes the form")]
    file: (),
    /// Text that the user sent with the audio.
    prompt: Option<String>,
    /// Project whose policy applies. If absent, the built-in policy applies.
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
    #[serde(flatten)]
    sender: ClientInfo,
    /// Previous turns, as JSON.
    #[schema(value_type = Option<Vec<HistoryTurn>>, max_items = 2000)]
    conversation_history: Vec<Turn>,
    /// Asks the organization's language model for a second opinion if it could change the decision.
    #[schema(value_type = Option<bool>)]
    enable_llm_reasoning: bool,
    /// true, or `{enabled, strategy}` as JSON: masks personal data that the policy would allow.
    #[schema(value_type = Option<MaskingChoice>)]
    pii_masking: guardengine_engine::RequestOptions,
    /// Retrieved or tool text that the model will read, as JSON.
    #[schema(value_type = Option<Vec<DocumentText>>, max_items = 200)]
    documents: Vec<String>,
    /// Connector that transcribes. Default: the oldest one that can, else the built-in recognizer.
    connector_id: Option<Uuid>,
    /// If true and the action is `mask`, the audio is returned with personal data muted.
    #[schema(value_type = Option<bool>)]
    silence_pii: bool,
}

impl FromFields for Recording {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            file: (),
            prompt: fields.string("prompt")?.map(str::to_owned),
            project_id: optional_id(fields, "projectId")?,
            sender: request::sender(fields)?,
            conversation_history: request::history(fields)?,
            enable_llm_reasoning: fields.boolean("enable_llm_reasoning")?.unwrap_or(false),
            pii_masking: request::masking(fields)?,
            documents: request::documents(fields)?,
            connector_id: optional_id(fields, "connector_id")?,
            silence_pii: fields.boolean("silence_pii")?.unwrap_or(false),
        })
    }
}

/// The job that evaluates long audio.
#[derive(Debug, Serialize, ToSchema)]
pub struct AcceptedJob {
    job_id: Uuid,
    /// Address of its status: `GET` until it is `done` or `failed`, or wait for the event `job.finished`.
    status_url: String,
}

/// The response to audio.
pub enum AudioResponse {
    /// A decision.
    Decided(Box<AudioDecision>),
    /// A job.
    Accepted(AcceptedJob),
}

impl IntoResponse for AudioResponse {
    fn into_response(self) -> Response {
        match self {
            Self::Decided(decision) => Json(decision).into_response(),
            Self::Accepted(job) => (StatusCode::ACCEPTED, Json(job)).into_response(),
        }
    }
}

/// Evaluate audio
///
/// Audio longer than `media.async_above` is evaluated as a job, which is charged when it is accepted and refunded when it
/// fails.
#[utoipa::path(
    post, path = "/v2/guardengine/analyze_audio", tag = "guard", operation_id = "guard_audio",
    request_body(content = Recording, content_type = "multipart/form-data"),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The decision", body = AudioDecision),
        (status = 202, description = "The audio is longer than `media.async_above`: a job evaluates it", body = AcceptedJob),
        (status = 400, description = "LLM reasoning was requested without an active AI connector, or the connector cannot transcribe", body = ErrorBody),
        (status = 403, description = "Missing permission, not a member of the project, inactive connector, or insufficient credits", body = ErrorBody),
        (status = 404, description = "Project or connector not found", body = ErrorBody),
        (status = 422, description = "Missing or invalid field, or the audio cannot be decoded", body = ErrorBody),
        (status = 503, description = "Not evaluated: do not let the audio through; retry later", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    upload: Upload<Recording>,
) -> Result<AudioResponse, Error> {
    let mutes = upload.fields.silence_pii;
    let call = upload.call(&tenants, caller);
    if let Some(seconds) = Box::pin(guard.long_audio(&call)).await? {
        let job_id = Box::pin(guard.accept_job(call, seconds, mutes)).await?;
        let status_url = guard.address(&format!("/api/jobs/{job_id}"));
        return Ok(AudioResponse::Accepted(AcceptedJob { job_id, status_url }));
    }
    let decided = Box::pin(guard.evaluate(call)).await?;
    // Mute before charging: a failure costs nothing.
    let muted = if mutes { guard.muted_audio(&decided).await? } else { None };
    let call = Arc::clone(&decided.call);
    let recorded = guard.record(decided, SideEffects::default()).await?;
    let mut decision = AudioDecision::of(&call, &recorded)?;
    decision.silenced_audio = muted.map(|wav| BASE64_STANDARD.encode(wav));
    Ok(AudioResponse::Decided(Box::new(decision)))
}

impl Upload<Recording> {
    fn call(self, tenants: &Tenants, caller: Principal) -> GuardRequest {
        let Self { file, fields, .. } = self;
        let submission = Submission {
            documents: fields.documents,
            history: fields.conversation_history,
            ..Submission::of(Direction::Input, fields.prompt.unwrap_or_default())
        };
        GuardRequest {
            project_id: fields.project_id,
            attached: Attachments {
                audio: Some(Audio::Upload(file)),
                transcribed_by: fields.connector_id,
                ..Attachments::default()
            },
            asked: fields.pii_masking,
            reasoning: fields.enable_llm_reasoning,
            sender: fields.sender,
            ..request::arriving_now(&tenants.clock, caller, Operation::Audio, submission)
        }
    }
}
