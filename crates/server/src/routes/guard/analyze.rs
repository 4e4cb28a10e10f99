use axum::extract::State;
use guardengine_engine::{
    Asked,
    fields::{Fields, Invalid},
    guardrail::Direction,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::fields;
use crate::{
    app::App,
    guard::{
        Call, Operation, Sender,
        decision::GuardDecision,
        submission::{Submission, Turn},
    },
    http::{Answer, Body, Caller, Error, ErrorBody, FromFields, Json, optional_id},
};

/// A prompt to be judged.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "prompt": "What does the refund policy say?", "source_app": "support desk" }))]
pub struct Prompt {
    /// What the user wrote.
    prompt: String,
    /// Whose policy decides; the built-in one without.
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
    #[serde(flatten)]
    sender: Sender,
    /// Earlier turns, oldest first; strings are taken as the user's. They were judged when they were new.
    #[schema(value_type = Option<Vec<Turn>>)]
    conversation_history: Vec<Turn>,
    /// A second opinion of the organisation's model.
    #[schema(value_type = Option<bool>)]
    enable_llm_reasoning: bool,
    /// `{enabled, strategy}` or true: mask personal data where the policy would let it through.
    #[schema(value_type = Option<Object>)]
    pii_masking: Asked,
    /// Retrieved or tool text that the model will read: strings, or objects with a `text`.
    #[schema(value_type = Option<Vec<Object>>)]
    documents: Vec<String>,
}

impl FromFields for Prompt {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
        let prompt = Self {
            prompt: fields.required_string("prompt")?.to_owned(),
            project_id: optional_id(fields, "projectId")?,
            sender: fields::sender(fields)?,
            conversation_history: fields::history(fields)?,
            enable_llm_reasoning: fields.boolean("enable_llm_reasoning")?.unwrap_or(false),
            pii_masking: fields::masking(fields)?,
            documents: fields::documents(fields)?,
        };
        fields::unsupported_images(fields)?;
        Ok(prompt)
    }
}

/// A guard decision on a prompt.
#[derive(Debug, Serialize, ToSchema)]
pub struct PromptDecision {
    #[serde(flatten)]
    decision: GuardDecision,
    /// The prompt with its personal data masked; null unless the action is `mask`.
    masked_prompt: Option<String>,
    /// The documents likewise; absent without documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    masked_documents: Option<Vec<String>>,
    /// The row in the log.
    log_id: Uuid,
}

/// May this prompt go to the model?
#[utoipa::path(
    post, path = "/v2/guardengine/svc_firewall_analyze", tag = "guard", operation_id = "guard_analyze",
    request_body = Prompt,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The decision", body = PromptDecision),
        (status = 400, description = "LLM reasoning without an active AI connector", body = ErrorBody),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "A permission is missing, not a member, or insufficient credits", body = ErrorBody),
        (status = 404, description = "No such project", body = ErrorBody),
        (status = 413, description = "Body too large", body = ErrorBody),
        (status = 422, description = "A field is missing or not accepted", body = ErrorBody),
        (status = 429, description = "Rate limit", body = ErrorBody),
        (status = 503, description = "Not judged: do not let the prompt through, try again later", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Caller,
    Body(prompt): Body<Prompt>,
) -> Answer<PromptDecision> {
    if prompt.enable_llm_reasoning {
        return Err(Error::bad_request("no active AI connector for the organisation"));
    }
    let submission = Submission {
        direction: Direction::Input,
        subject: prompt.prompt,
        documents: prompt.documents,
        history: prompt.conversation_history,
    };
    let call = Call {
        project_id: prompt.project_id,
        asked: prompt.pii_masking,
        sender: prompt.sender,
        ..Call::new(&app.clock, caller, Operation::Analyze, submission)
    };
    let answered = app.guard.answer(call).await?;
    Ok(Json(PromptDecision {
        decision: GuardDecision::of(
            &answered.judged.verdict,
            answered.processing_time_ms,
            &answered.model_version,
        ),
        masked_prompt: answered.judged.masked,
        masked_documents: answered.judged.masked_documents,
        log_id: answered.log_id,
    }))
}
