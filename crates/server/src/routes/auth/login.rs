use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Auth, SignedIn};

use super::token::Credentials;
use crate::http::{Answer, ClientIp, Form, Json};

/// Sign in with JSON or a form
///
/// Returns the same as `/token`, and counts toward the same lockout.
#[utoipa::path(
    post, path = "/login", tag = "sessions", operation_id = "sessions_login",
    request_body(content(
        (Credentials = "application/json"),
        (Credentials = "application/x-www-form-urlencoded"),
    )),
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
