use axum::extract::State;
use guardengine_api_types::{ErrorBody, GuardDecision};
use guardengine_engine::{
    RequestOptions,
    fields::{FieldError, Fields},
    guardrail::Direction,
};
use guardengine_guard::{
    ClientInfo, Guard, GuardRequest, Operation,
    attachments::{Attachments, ImageFile, parse_images},
    submission::Submission,
};
use guardengine_store::SideEffects;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{image_results::ImageResults, inputs::MaskingChoice, request};
use crate::{
    app::{Operations, Tenants},
    http::{Answer, Body, Caller, FromFields, Json, optional_id},
};

/// A response to evaluate.
#[derive(Debug, ToSchema)]
#[schema(as = ModelResponse, example = json!({ "response": "Refunds take five working days." }))]
pub struct Response {
    /// Output of the model, unmodified.
    response: String,
    /// Project whose policy applies. If absent, the built-in policy applies.
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
    #[serde(flatten)]
    sender: ClientInfo,
    /// `{enabled, strategy}` or true: masks personal data that the policy would allow.
    #[schema(value_type = Option<MaskingChoice>)]
    pii_masking: RequestOptions,
    /// Images (PNG, JPEG, WebP, or PDF with one page) in base64 or as data URLs. Their text is evaluated with the
    /// response.
    #[schema(value_type = Option<Vec<crate::schemas::ImageText>>)]
    images: Vec<ImageFile>,
}

impl FromFields for Response {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            response: fields.required_string("response")?.to_owned(),
            project_id: optional_id(fields, "projectId")?,
            sender: request::sender(fields)?,
            pii_masking: request::masking(fields)?,
            images: parse_images(fields)?,
        })
    }
}

/// A guard decision on a response.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResponseDecision {
    #[serde(flatten)]
    decision: GuardDecision,
    /// Response with personal data masked; null unless the action is `mask`.
    masked_response: Option<String>,
    #[serde(flatten)]
    images: ImageResults,
    /// Log entry identifier.
    log_id: Uuid,
}

/// Evaluate a response
#[utoipa::path(
    post, path = "/v2/guardengine/svc_firewall_validate", tag = "guard", operation_id = "guard_validate",
    request_body = Response,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The decision", body = ResponseDecision),
        (status = 403, description = "Missing permission, not a member of the project, or insufficient credits", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
        (status = 503, description = "Not evaluated: do not let the response through; retry later", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(operations): State<Operations>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    Body(response): Body<Response>,
) -> Answer<ResponseDecision> {
    request::at_most(operations.settings.guard.media.max_images, &response.images)?;
    let submission = Submission::of(Direction::Output, response.response);
    let call = GuardRequest {
        project_id: response.project_id,
        attached: Attachments { images: response.images, ..Attachments::default() },
        asked: response.pii_masking,
        sender: response.sender,
        ..request::arriving_now(&tenants.clock, caller, Operation::Validate, submission)
    };
    let decided = guard.evaluate(call).await?;
    let images = ImageResults::of(&guard, &decided).await?;
    let answered = guard.record(decided, SideEffects::default()).await?;
    Ok(Json(ResponseDecision {
        decision: GuardDecision::of(
            &answered.evaluation.verdict,
            answered.processing_time_ms,
            &answered.model_version,
        ),
        masked_response: answered.evaluation.masked,
        images,
        log_id: answered.log_id,
    }))
}
