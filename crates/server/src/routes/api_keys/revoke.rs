use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, permission};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, PathId},
};

/// A revoked API key.
#[derive(Debug, Serialize, ToSchema)]
pub struct Revoked {
    message: &'static str,
    key_id: Uuid,
}

/// Revoke an API key
///
/// Takes effect at once. Revoking a key again returns the same response.
#[utoipa::path(
    delete, path = "/api-keys/{key_id}", tag = "api keys", operation_id = "api_keys_revoke",
    params(("key_id" = Uuid, Path, description = "API key identifier")),
    security(("bearer" = [])),
    responses(
        (status = 200, description = "API key revoked", body = Revoked),
        (status = 404, description = "API key not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(key_id): PathId,
) -> Answer<Revoked> {
    let not_found = || Error::not_found("API key");
    let key = tenants.db.api_key(caller.org_id, key_id).await?.ok_or_else(not_found)?;
    if !caller.sees_all_projects() && key.user_id != caller.user_id {
        return Err(not_found());
    }
    let mut tx = tenants.audited().await?;
    tx.revoke_api_key(caller.org_id, key_id).await?;
    audit::commit(tx, &caller, permission::REVOKE_API_KEY, key_id, json!({ "name": key.name })).await?;
    Ok(Json(Revoked { message: "API key revoked", key_id }))
}
