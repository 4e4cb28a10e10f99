use axum::extract::State;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_guard::Guard;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, FromFields, Json},
};

/// Text with tokens.
#[derive(Debug, ToSchema)]
pub struct Tokenized {
    /// Text with tokens.
    text: String,
}

impl FromFields for Tokenized {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { text: fields.required_string("text")?.to_owned() })
    }
}

/// Text with restored values.
#[derive(Debug, Serialize, ToSchema)]
pub struct Restored {
    /// Text with every known token replaced by its value.
    text: String,
    /// Number of replaced tokens.
    restored: usize,
}

/// Restore masked values
///
/// Replaces tokens of the caller's organization. Every call is recorded in the audit trail.
#[utoipa::path(
    post, path = "/v2/pii/unmask", tag = "guard", operation_id = "guard_unmask",
    request_body = Tokenized,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The restored text", body = Restored),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    Body(body): Body<Tokenized>,
) -> Answer<Restored> {
    let done = guard.unmask(&caller, &body.text, tenants.clock.now()).await?;
    Ok(Json(Restored { text: done.text, restored: done.restored }))
}
