use axum::extract::State;
use guardengine_engine::{
    Asked,
    fields::{Fields, Invalid},
    guardrail::Direction,
    policy::{Masking, written::Strategy},
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    guard::{GuardRequest, Operation, submission::Submission},
    http::{Answer, Body, ErrorBody, FromFields, Json, Principal, optional_id},
};

/// A text to be masked.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "text": "Write to jane@example.com", "strategy": "partial" }))]
pub struct MaskRequest {
    /// The text.
    text: String,
    /// Whose policy names the kinds; every kind without.
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
    /// `full` (default), `partial`, `format_preserving`, `hash` or `token`.
    #[schema(value_type = Option<String>)]
    strategy: Strategy,
}

impl FromFields for MaskRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
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
    /// The text with every find replaced.
    masked_text: String,
    /// Kinds found, unique, in order of appearance.
    pii_found: Vec<&'static str>,
    /// Whether anything was replaced.
    masking_applied: bool,
}

/// Mask personal data
#[utoipa::path(
    post, path = "/v2/pii/mask", tag = "guard", operation_id = "guard_mask",
    request_body = MaskRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The masked text", body = Masked),
        (status = 403, description = "A permission is missing, not a member, or insufficient credits", body = ErrorBody),
        (status = 404, description = "No such project", body = ErrorBody),
        (status = 503, description = "Not masked: try again later", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    Body(wanted): Body<MaskRequest>,
) -> Answer<Masked> {
    let original = wanted.text.clone();
    let submission = Submission::of(Direction::Input, wanted.text);
    let call = GuardRequest {
        project_id: wanted.project_id,
        asked: Asked { mask: true, strategy: Some(wanted.strategy), ..Asked::default() },
        ..GuardRequest::new(&app.clock, caller, Operation::Mask, submission)
    };
    let answered = app.guard.answer(call).await?;
    let pii_found = answered.evaluation.verdict.masking.as_ref().map(kinds).unwrap_or_default();
    let masked = answered.evaluation.masked;
    Ok(Json(Masked { pii_found, masking_applied: masked.is_some(), masked_text: masked.unwrap_or(original) }))
}

fn kinds(masking: &Masking) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    for found in masking.found.iter().flatten() {
        if !kinds.contains(&found.kind) {
            kinds.push(found.kind);
        }
    }
    kinds
}
