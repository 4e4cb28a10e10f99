use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_guard::{
    Guard, Operation,
    autonomous::{self, AutonomousDecision},
};
use utoipa::ToSchema;

use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Json},
    routes::guard::prompt::Prompt,
};

/// A prompt to evaluate autonomously.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "prompt": "What does the refund policy say?", "username": "ann" }))]
#[expect(dead_code, reason = "admission reads the key; the field documents it")]
pub struct AutonomousPrompt {
    #[serde(flatten)]
    prompt: Prompt,
    /// API key of the caller, if the request has no credential header.
    #[serde(rename = "API-key")]
    api_key: Option<String>,
}

/// Evaluate a prompt autonomously
///
/// The most severe action of the triggered guardrails applies. `CHALLENGE` includes a token for the user's answer,
/// `ESCALATE` the identifier of the review.
#[utoipa::path(
    post, path = "/api/autonomous/analyze", tag = "autonomous", operation_id = "autonomous_analyze",
    request_body = AutonomousPrompt,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The decision", body = AutonomousDecision),
        (status = 400, description = "LLM reasoning was requested without an active AI connector", body = ErrorBody),
        (status = 403, description = "Missing permission, not a member of the project, or insufficient credits", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
        (status = 503, description = "Not evaluated: do not let the prompt through; retry later", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    Body(prompt): Body<Prompt>,
) -> Answer<AutonomousDecision> {
    let call = prompt.without_images()?.call(&tenants, caller, Operation::Autonomous);
    Ok(Json(autonomous::decide(&guard, call, None).await?))
}
