use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Auth, SignedIn};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{MAX_NAME_CHARS, name_chars};
use utoipa::ToSchema;

use crate::http::{Answer, ClientIp, Form, FromFields, Json};

/// Username and password.
#[derive(Debug, ToSchema)]
pub struct Credentials {
    /// Username, at most 100 characters. Case and surrounding spaces are ignored.
    #[schema(max_length = 100)]
    pub username: String,
    /// Password.
    #[schema(format = "password")]
    pub password: String,
}

impl FromFields for Credentials {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { username: username(fields)?, password: fields.required_string("password")?.to_owned() })
    }
}

fn username(fields: Fields<'_>) -> Result<String, FieldError> {
    let username = fields.required_string("username")?;
    if name_chars(username) > MAX_NAME_CHARS {
        let accepted = format!("must have at most {MAX_NAME_CHARS} characters");
        return Err(FieldError::value("username", accepted));
    }
    Ok(username.to_owned())
}

/// Sign in
///
/// Five failed attempts for a username within ten minutes lock it for ten minutes.
#[utoipa::path(
    post, path = "/token", tag = "sessions", operation_id = "sessions_token",
    request_body(content = Credentials, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "Tokens, or the organizations to choose from", body = SignedIn),
        (status = 401, description = "Wrong username or password", body = ErrorBody),
        (status = 429, description = "Rate limit exceeded, or the account is locked", body = ErrorBody),
    )
)]
pub async fn handle(
    State(auth): State<Auth>,
    ClientIp(address): ClientIp,
    Form(credentials): Form<Credentials>,
) -> Answer<SignedIn> {
    Ok(Json(auth.sign_in(&credentials.username, &credentials.password, address).await?))
}
