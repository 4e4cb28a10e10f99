use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_engine::{
    Confirmation, RequestOptions,
    fields::{FieldError, Fields},
};
use guardengine_guard::{
    Guard, GuardRequest, Operation,
    autonomous::{self, AutonomousDecision, answerable},
};
use utoipa::ToSchema;

use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, FromFields, Json},
    routes::guard::prompt::Prompt,
};

/// The user's answer to a challenge, with the challenged prompt.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "challenge_token": "gc_…", "confirmed": true, "prompt": "…" }))]
pub struct ChallengeAnswer {
    /// `challenge_token` of the decision.
    challenge_token: String,
    /// True if the user confirmed that the prompt should be sent.
    confirmed: bool,
    #[serde(flatten)]
    prompt: Prompt,
}

impl FromFields for ChallengeAnswer {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            challenge_token: fields.required_string("challenge_token")?.to_owned(),
            confirmed: fields.boolean("confirmed")?.ok_or_else(|| FieldError::required("confirmed"))?,
            prompt: Prompt::from_fields(fields)?,
        })
    }
}

/// Answer a challenge
///
/// A confirmation allows exactly the challenged prompt, once, unless the policy now blocks or escalates it. A refusal
/// blocks it. The evaluated fields must equal those of the challenged request. Only its caller can answer, within five
/// minutes. The API key may be sent in the body. Costs no credits.
#[utoipa::path(
    post, path = "/api/autonomous/challenge", tag = "autonomous", operation_id = "autonomous_challenge",
    request_body = ChallengeAnswer,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The decision", body = AutonomousDecision),
        (status = 400, description = "LLM reasoning was requested without an active AI connector", body = ErrorBody),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found, or no such challenge for this caller", body = ErrorBody),
        (status = 409, description = "The challenge is answered, expired, or for another prompt", body = ErrorBody),
        (status = 503, description = "Not evaluated: do not let the prompt through; retry later", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    Body(answer): Body<ChallengeAnswer>,
) -> Answer<AutonomousDecision> {
    let call = answer.prompt.without_images()?.call(&tenants, caller, Operation::Challenge);
    let challenge = answerable(&guard, &answer.challenge_token, &call).await?;
    let confirmation = Some(if answer.confirmed { Confirmation::Given } else { Confirmation::Refused });
    let call = GuardRequest { asked: RequestOptions { confirmation, ..call.asked }, ..call };
    Ok(Json(autonomous::decide(&guard, call, Some(challenge)).await?))
}
