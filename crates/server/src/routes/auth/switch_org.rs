use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{self, Auth, Credential, Identity, TokenSet, audit};
use guardengine_engine::fields::{FieldError, Fields};
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Error, FromFields, Json, optional_id},
};

/// The organization to switch to.
#[derive(Debug, ToSchema)]
pub struct SwitchOrganizationRequest {
    /// An organization that the caller belongs to.
    org_id: Uuid,
}

impl FromFields for SwitchOrganizationRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { org_id: optional_id(fields, "org_id")?.ok_or_else(|| FieldError::required("org_id"))? })
    }
}

/// Switch to another organization
///
/// Starts a session there and ends the current one. Needs an access token: an API key belongs to one organization.
#[utoipa::path(
    post, path = "/auth/switch-org", tag = "sessions", operation_id = "sessions_switch_org",
    request_body = SwitchOrganizationRequest,
    security(("bearer" = [])),
    responses(
        (status = 200, description = "Access and refresh token", body = TokenSet),
        (status = 401, description = "Missing or invalid access token; API keys are not accepted", body = ErrorBody),
        (status = 404, description = "Not one of the caller's organizations", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(auth): State<Auth>,
    Caller(caller): Caller,
    Body(request): Body<SwitchOrganizationRequest>,
) -> Answer<TokenSet> {
    let Credential::Session(present) = caller.credential else { return Err(Error::invalid_token()) };
    let orgs = tenants.db.orgs_of_user(caller.user_id).await?;
    let org = orgs.iter().find(|org| org.org_id == request.org_id);
    let org = org.ok_or_else(|| Error::not_found("organization"))?;
    let person = Identity { id: caller.user_id, username: &caller.username, address: caller.address };
    let tokens = auth.start_session(person, org).await?;
    let mut tx = tenants.audited().await?;
    tx.end_session(present, tenants.clock.now()).await?;
    audit::commit(tx, &caller, "SESSIONS:SIGN_OUT", &caller.username, json!({})).await?;
    Ok(Json(tokens))
}
