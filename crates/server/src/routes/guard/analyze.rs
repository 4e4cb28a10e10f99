use axum::extract::State;
use guardengine_api_types::{ErrorBody, GuardDecision};
use guardengine_guard::{Guard, Operation, evaluate::MaskedTurn};
use guardengine_store::SideEffects;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{document_results::DocumentResults, image_results::ImageResults, prompt::Prompt};
use crate::{
    app::{Operations, Tenants},
    http::{Answer, Body, Caller, Json},
};

/// A guard decision on a prompt.
#[derive(Debug, Serialize, ToSchema)]
pub struct PromptDecision {
    #[serde(flatten)]
    decision: GuardDecision,
    /// Prompt with personal data masked; null unless the action is `mask`.
    masked_prompt: Option<String>,
    /// Documents with personal data masked; absent without documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    masked_documents: Option<Vec<String>>,
    /// Turns with personal data masked, of those that were evaluated; absent if none has any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    masked_turns: Vec<MaskedTurn>,
    #[serde(flatten)]
    files: DocumentResults,
    #[serde(flatten)]
    images: ImageResults,
    /// Log entry identifier.
    log_id: Uuid,
}

/// Evaluate a prompt
#[utoipa::path(
    post, path = "/v2/guardengine/svc_firewall_analyze", tag = "guard", operation_id = "guard_analyze",
    request_body = Prompt,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The decision", body = PromptDecision),
        (status = 400, description = "LLM reasoning was requested without an active AI connector", body = ErrorBody),
        (status = 403, description = "Missing permission, not a member of the project, or insufficient credits", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
        (status = 503, description = "Not evaluated: do not let the prompt through; retry later", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(operations): State<Operations>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    Body(prompt): Body<Prompt>,
) -> Answer<PromptDecision> {
    let call =
        prompt.within(operations.settings.guard.media.max_images)?.call(&tenants, caller, Operation::Analyze);
    let decided = guard.evaluate(call).await?;
    let images = ImageResults::of(&guard, &decided).await?;
    let files = DocumentResults::of(&guard, &decided).await?;
    let answered = guard.record(decided, SideEffects::default()).await?;
    Ok(Json(PromptDecision {
        decision: GuardDecision::of(
            &answered.evaluation.verdict,
            answered.processing_time_ms,
            &answered.model_version,
        ),
        masked_prompt: answered.evaluation.masked,
        masked_documents: answered.evaluation.masked_documents,
        masked_turns: answered.evaluation.masked_turns,
        files,
        images,
        log_id: answered.log_id,
    }))
}
