use axum::extract::State;
use guardengine_engine::fields::{Fields, Invalid};
use utoipa::ToSchema;

use crate::{
    app::App,
    auth::session::{TokenSet, refresh},
    http::{Answer, Body, ClientIp, ErrorBody, FromFields, Json},
};

/// A refresh token.
#[derive(Debug, ToSchema)]
pub struct RefreshToken {
    /// The latest one.
    pub refresh_token: String,
}

impl FromFields for RefreshToken {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
        Ok(Self { refresh_token: fields.required_string("refresh_token")?.to_owned() })
    }
}

/// Replace a refresh token
///
/// The old one stops working; using it again ends the session.
#[utoipa::path(
    post, path = "/refresh", tag = "sessions", operation_id = "sessions_refresh",
    request_body = RefreshToken,
    responses(
        (status = 200, description = "New tokens", body = TokenSet),
        (status = 401, description = "The token is over, spent or unknown, or the session was idle", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    ClientIp(address): ClientIp,
    Body(request): Body<RefreshToken>,
) -> Answer<TokenSet> {
    Ok(Json(refresh(&app, &request.refresh_token, address).await?))
}
