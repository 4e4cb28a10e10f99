use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, permission};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_guard::text_aad;
use guardengine_integrations::Integrations;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::get::visible;
use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Error, FromFields, Json, PathId},
};

const MAX_REASON_LENGTH: usize = 500;

/// Reason for revealing a text.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "reason": "incident 4711" }))]
pub struct RevealRequest {
    /// Reason for the audit trail, 1 to 500 characters.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

impl FromFields for RevealRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { reason: fields.required_text("reason", MAX_REASON_LENGTH)?.to_owned() })
    }
}

/// The original text.
#[derive(Debug, Serialize, ToSchema)]
pub struct RevealedText {
    text: String,
}

/// Reveal the text of a log entry
///
/// Available if the project's `log_content` was `sealed` at the time of the request. The reason is recorded in the
/// audit trail before the text is returned.
#[utoipa::path(
    post, path = "/api/logs/{log_id}/reveal", tag = "logs", operation_id = "logs_reveal",
    params(("log_id" = uuid::Uuid, Path, description = "Log entry identifier")),
    request_body = RevealRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The text", body = RevealedText),
        (status = 404, description = "Log entry not found, or not visible to the caller", body = ErrorBody),
        (status = 409, description = "The text is not sealed", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Body(why): Body<RevealRequest>,
) -> Answer<RevealedText> {
    let (_, detail) = visible(&tenants, &caller, id).await?;
    let Some(sealed) = detail.sealed_text else {
        return Err(Error::conflict("the text is not kept sealed: see log_content of the project"));
    };
    let keys = integrations.vault.data_key(caller.org_id).await?;
    let text = keys.open(&text_aad(caller.org_id, id), &sealed)?;
    audit::record(
        &tenants.db,
        tenants.clock.now(),
        &caller,
        permission::REVEAL_TEXT,
        id,
        json!({ "reason": why.reason }),
    )
    .await?;
    Ok(Json(RevealedText { text: String::from_utf8_lossy(&text).into_owned() }))
}
