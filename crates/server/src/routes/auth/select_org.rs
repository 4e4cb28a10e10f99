use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Auth, TokenSet};
use guardengine_engine::fields::{FieldError, Fields};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::{Answer, ClientIp, Form, FromFields, Json, optional_id};

/// The organization to sign in to.
#[derive(Debug, ToSchema)]
pub struct Selection {
    /// `pre_auth_token` of the sign-in response.
    pre_auth_token: String,
    /// One of the organizations in the sign-in response.
    org_id: Uuid,
}

impl FromFields for Selection {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            pre_auth_token: fields.required_string("pre_auth_token")?.to_owned(),
            org_id: optional_id(fields, "org_id")?.ok_or_else(|| FieldError::required("org_id"))?,
        })
    }
}

/// Choose an organization
///
/// Completes the sign-in of an account that belongs to several organizations.
#[utoipa::path(
    post, path = "/auth/select-org", tag = "sessions", operation_id = "sessions_select_org",
    request_body(content((Selection = "application/json"), (Selection = "application/x-www-form-urlencoded"))),
    responses(
        (status = 200, description = "Access and refresh token", body = TokenSet),
        (status = 401, description = "The pre-authentication token is expired or used", body = ErrorBody),
        (status = 404, description = "Not one of the account's organizations", body = ErrorBody),
    )
)]
pub async fn handle(
    State(auth): State<Auth>,
    ClientIp(address): ClientIp,
    Form(selection): Form<Selection>,
) -> Answer<TokenSet> {
    Ok(Json(auth.select_org(&selection.pre_auth_token, selection.org_id, address).await?))
}
