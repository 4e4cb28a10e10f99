use axum::extract::State;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_api_types::{ErrorBody, GuardDecision, rounded};
use guardengine_auth::Principal;
use guardengine_engine::{
    fields::{FieldError, Fields},
    guardrail::Direction,
};
use guardengine_guard::{
    ClientInfo, Guard, GuardRequest, Operation, PendingDecision,
    attachments::{Attachments, MediaText, Transcript},
    evaluate::MaskedTurn,
    submission::{Submission, Turn},
};
use guardengine_media::TimeSpan;
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
    http::{Answer, Caller, Error, FromFields, Json, Upload, optional_id},
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

/// A word of a transcript.
#[derive(Debug, Serialize, ToSchema)]
pub struct HeardWord {
    /// The word.
    word: String,
    /// Time from the start, seconds.
    start: f64,
    /// Time from the start, seconds.
    end: f64,
}

/// A guard decision on audio.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecordingDecision {
    #[serde(flatten)]
    decision: GuardDecision,
    /// Transcript. Spans with `transcript` refer to it.
    transcript: String,
    /// Transcript with personal data masked; null unless the action is `mask`.
    masked_transcript: Option<String>,
    /// Prompt with personal data masked; null without a prompt.
    masked_prompt: Option<String>,
    /// Documents with personal data masked; absent without documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    masked_documents: Option<Vec<String>>,
    /// Turns with personal data masked, of those that were evaluated; absent if none has any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    masked_turns: Vec<MaskedTurn>,
    /// Duration of the audio, seconds.
    duration_seconds: f64,
    /// Language (ISO 639-1); `und` if unknown.
    lang_code: String,
    /// Words with their times.
    words: Vec<HeardWord>,
    /// Recognizer: `whisper:base`, `whisper:` and the model file, or the connector's type and model.
    recognizer: String,
    /// Audio with personal data muted, as WAV in base64; null unless the action is `mask` and `silence_pii` is true.
    silenced_audio: Option<String>,
    /// Log entry identifier.
    log_id: Uuid,
}

/// Evaluate audio
#[utoipa::path(
    post, path = "/v2/guardengine/analyze_audio", tag = "guard", operation_id = "guard_audio",
    request_body(content = Recording, content_type = "multipart/form-data"),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The decision", body = RecordingDecision),
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
) -> Answer<RecordingDecision> {
    let wants_silence = upload.fields.silence_pii;
    let decided = guard.evaluate(upload.call(&tenants, caller)).await?;
    let transcript = transcript(&decided)?.clone();
    // Mute before charging: a failure costs nothing.
    let silenced_audio = if wants_silence { silenced(&guard, &decided, &transcript).await? } else { None };
    let answered = guard.record(decided, SideEffects::default()).await?;
    let (evaluation, took) = (answered.evaluation, answered.processing_time_ms);
    let language = transcript.language.or_else(|| evaluation.language.map(str::to_owned));
    let heard = |(word, moment): (&str, TimeSpan)| HeardWord {
        word: word.to_owned(),
        start: rounded(moment.start),
        end: rounded(moment.end),
    };
    Ok(Json(RecordingDecision {
        decision: GuardDecision::of(&evaluation.verdict, took, &answered.model_version),
        words: transcript.passage.words().map(heard).collect(),
        transcript: transcript.passage.text,
        masked_transcript: evaluation.masked_media.into_iter().next().map(|masked| masked.text),
        masked_prompt: evaluation.masked.filter(|prompt| !prompt.is_empty()),
        masked_documents: evaluation.masked_documents,
        masked_turns: evaluation.masked_turns,
        duration_seconds: rounded(transcript.duration),
        lang_code: language.unwrap_or_else(|| "und".to_owned()),
        recognizer: transcript.recognizer,
        silenced_audio,
        log_id: answered.log_id,
    }))
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
                audio: Some(file),
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

fn transcript(decided: &PendingDecision) -> Result<&Transcript, Error> {
    let media = decided.call.submission.media.iter();
    let mut transcripts = media.filter_map(|medium| match medium {
        MediaText::Speech(transcript) => Some(transcript),
        MediaText::Image(..) => None,
    });
    transcripts.next().ok_or_else(|| Error::internal("audio without a transcript"))
}

/// Returns the audio with masked passages muted.
async fn silenced(
    guard: &Guard,
    decided: &PendingDecision,
    heard: &Transcript,
) -> Result<Option<String>, Error> {
    let Some(masked) = decided.evaluation.masked_media.first() else { return Ok(None) };
    let whole = TimeSpan { start: 0.0, end: heard.duration };
    // If the times are unknown, mute everything.
    let moment = |range| heard.passage.time_span(range, heard.margin).unwrap_or(whole);
    let moments = masked.found.iter().map(|found| moment(found.span.start..found.span.end)).collect();
    let Some(audio) = &decided.call.attached.audio else { return Ok(None) };
    Ok(Some(
        BASE64_STANDARD.encode(guard.media_workers().mute(decided.call.caller.org_id, audio, moments).await?),
    ))
}
