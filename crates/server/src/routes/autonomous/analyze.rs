use axum::extract::State;
use utoipa::ToSchema;

use crate::{
    app::App,
    autonomous::{self, decision::AutonomousDecision},
    guard::Operation,
    http::{Answer, Body, ErrorBody, Json, Principal},
    routes::guard::prompt::Prompt,
};

/// A prompt to be decided about.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "prompt": "What does the refund policy say?", "username": "ann" }))]
#[expect(dead_code, reason = "admission has read the key by then; it stands here for the API document")]
pub struct AutonomousPrompt {
    #[serde(flatten)]
    prompt: Prompt,
    /// The caller's API key, where no header names a caller.
    #[serde(rename = "API-key")]
    api_key: Option<String>,
}

/// Decide about a prompt
///
/// The gravest action among what triggers decides. `CHALLENGE` comes with a token for the user's answer, `ESCALATE` with the
/// review to wait for.
#[utoipa::path(
    post, path = "/api/autonomous/analyze", tag = "autonomous", operation_id = "autonomous_analyze",
    request_body = AutonomousPrompt,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The decision", body = AutonomousDecision),
        (status = 400, description = "LLM reasoning without an active AI connector", body = ErrorBody),
        (status = 403, description = "A permission is missing, not a member, or insufficient credits", body = ErrorBody),
        (status = 404, description = "No such project", body = ErrorBody),
        (status = 503, description = "Not judged: do not let the prompt through, try again later", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    Body(prompt): Body<Prompt>,
) -> Answer<AutonomousDecision> {
    let call = prompt.without_images()?.call(&app, caller, Operation::Autonomous);
    Ok(Json(autonomous::decide(&app, call, None).await?))
}
