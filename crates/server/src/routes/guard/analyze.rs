use axum::extract::State;
use guardengine_store::SideEffects;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{image_results::ImageResults, prompt::Prompt};
use crate::{
    app::App,
    guard::{Operation, decision::GuardDecision},
    http::{Answer, Body, ErrorBody, Json, Principal},
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
    State(app): State<App>,
    caller: Principal,
    Body(prompt): Body<Prompt>,
) -> Answer<PromptDecision> {
    let call = prompt.within(app.settings.media.max_images)?.call(&app, caller, Operation::Analyze);
    let decided = app.guard.evaluate(call).await?;
    let images = ImageResults::of(&app, &decided).await?;
    let answered = app.guard.record(decided, SideEffects::default()).await?;
    Ok(Json(PromptDecision {
        decision: GuardDecision::of(
            &answered.evaluation.verdict,
            answered.processing_time_ms,
            &answered.model_version,
        ),
        masked_prompt: answered.evaluation.masked,
        masked_documents: answered.evaluation.masked_documents,
        images,
        log_id: answered.log_id,
    }))
}
