use axum::extract::State;
use guardengine_engine::fields::{Fields, Invalid};
use utoipa::ToSchema;

use crate::{
    app::App,
    auth::sign_in::{SignedIn, sign_in},
    http::{Answer, ClientIp, ErrorBody, Form, FromFields, Json},
};

/// Username and password.
#[derive(Debug, ToSchema)]
pub struct Credentials {
    /// Case and surrounding blanks do not matter.
    pub username: String,
    /// As it was chosen.
    #[schema(format = "password")]
    pub password: String,
}

impl FromFields for Credentials {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
        Ok(Self {
            username: fields.required_string("username")?.to_owned(),
            password: fields.required_string("password")?.to_owned(),
        })
    }
}

/// Sign in
///
/// Five failures for a username within ten minutes lock it for ten minutes.
#[utoipa::path(
    post, path = "/token", tag = "sessions", operation_id = "sessions_token",
    request_body(content = Credentials, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "Tokens, or a choice of organisation", body = SignedIn),
        (status = 401, description = "Wrong username or password", body = ErrorBody),
        (status = 429, description = "Rate limit or lockout", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    ClientIp(address): ClientIp,
    Form(credentials): Form<Credentials>,
) -> Answer<SignedIn> {
    Ok(Json(sign_in(&app, &credentials.username, &credentials.password, address).await?))
}
