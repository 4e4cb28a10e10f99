use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Auth, TokenSet};
use guardengine_engine::fields::{FieldError, Fields};
use utoipa::ToSchema;

use crate::http::{Answer, Body, ClientIp, FromFields, Json};

/// A refresh token.
#[derive(Debug, ToSchema)]
pub struct RefreshToken {
    /// The latest refresh token of the session.
    pub refresh_token: String,
}

impl FromFields for RefreshToken {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { refresh_token: fields.required_string("refresh_token")?.to_owned() })
    }
}

/// Replace a refresh token
///
/// Returns new tokens. The old refresh token stops working; using it again ends the session.
#[utoipa::path(
    post, path = "/refresh", tag = "sessions", operation_id = "sessions_refresh",
    request_body = RefreshToken,
    responses(
        (status = 200, description = "New access and refresh token", body = TokenSet),
        (status = 401, description = "The refresh token is expired, used or unknown, or the session timed out", body = ErrorBody),
    )
)]
pub async fn handle(
    State(auth): State<Auth>,
    ClientIp(address): ClientIp,
    Body(request): Body<RefreshToken>,
) -> Answer<TokenSet> {
    Ok(Json(auth.refresh(&request.refresh_token, address).await?))
}
