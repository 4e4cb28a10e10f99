use std::collections::HashMap;

use axum::extract::State;
use guardengine_auth::{audit, permission};
use guardengine_engine::{
    fields::{FieldError, Fields},
    pii::mask::{restore, tokens_in},
};
use guardengine_guard::token_aad;
use guardengine_integrations::Integrations;
use serde::Serialize;
use serde_json::json;
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
    State(integrations): State<Integrations>,
    Caller(caller): Caller,
    Body(body): Body<Tokenized>,
) -> Answer<Restored> {
    let ids: Vec<String> = tokens_in(&body.text).into_iter().map(|(_, id)| id).collect();
    let keys = integrations.vault.data_key(caller.org_id).await?;
    let mut values = HashMap::new();
    for token in tenants.db.pii_tokens(caller.org_id, &ids).await? {
        let value = keys.open(&token_aad(caller.org_id, &token.token), &token.sealed)?;
        values.insert(token.token, String::from_utf8_lossy(&value).into_owned());
    }
    let (text, restored) = restore(&body.text, |id| values.get(id).cloned());
    audit::record(
        &tenants.db,
        tenants.clock.now(),
        &caller,
        permission::UNMASK,
        "",
        json!({ "restored": restored }),
    )
    .await?;
    Ok(Json(Restored { text, restored }))
}
