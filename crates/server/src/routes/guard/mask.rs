use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_engine::{
    RequestOptions,
    fields::{FieldError, Fields},
    guardrail::Direction,
    pii::mask::Strategy,
    policy::Masking,
};
use guardengine_guard::{Guard, GuardRequest, Operation, submission::Submission};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::request;
use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, FromFields, Json, optional_id},
};

/// Text to mask.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "text": "Write to jane@example.com", "strategy": "partial" }))]
pub struct MaskRequest {
    /// Text to mask.
    text: String,
    /// Project whose policy selects the PII types. If absent, all types are masked.
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
    /// Masking strategy: `full` (default), `partial`, `format_preserving`, `hash`, `token` or `synthetic`.
    #[schema(value_type = Option<guardengine_api_types::choices::MaskingStrategy>)]
    strategy: Strategy,
}

impl FromFields for MaskRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            text: fields.required_string("text")?.to_owned(),
            project_id: optional_id(fields, "projectId")?,
            strategy: fields.choice("strategy", &Strategy::ALL)?.unwrap_or(Strategy::Full),
        })
    }
}

/// A masked text.
#[derive(Debug, Serialize, ToSchema)]
pub struct Masked {
    /// Text with every finding masked.
    masked_text: String,
    /// PII types found, unique, in order of appearance.
    pii_found: Vec<String>,
    /// True if anything was masked.
    masking_applied: bool,
}

/// Mask personal data in text
#[utoipa::path(
    post, path = "/v2/pii/mask", tag = "guard", operation_id = "guard_mask",
    request_body = MaskRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The masked text", body = Masked),
        (status = 403, description = "Missing permission, not a member of the project, or insufficient credits", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
        (status = 503, description = "Not masked; retry later", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    Body(request): Body<MaskRequest>,
) -> Answer<Masked> {
    let original = request.text.clone();
    let submission = Submission::of(Direction::Input, request.text);
    let call = GuardRequest {
        project_id: request.project_id,
        asked: RequestOptions { mask: true, strategy: Some(request.strategy), ..RequestOptions::default() },
        ..request::arriving_now(&tenants.clock, caller, Operation::Mask, submission)
    };
    let answered = guard.answer(call).await?;
    let pii_found = answered.evaluation.verdict.masking.as_ref().map(kinds).unwrap_or_default();
    let masked = answered.evaluation.masked;
    Ok(Json(Masked { pii_found, masking_applied: masked.is_some(), masked_text: masked.unwrap_or(original) }))
}

fn kinds(masking: &Masking) -> Vec<String> {
    let mut kinds: Vec<String> = Vec::new();
    for found in masking.found.iter().flatten() {
        if !kinds.iter().any(|kind| found.kind == kind.as_str()) {
            kinds.push(found.kind.to_string());
        }
    }
    kinds
}
