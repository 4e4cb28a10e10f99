use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Auth, Credential, audit, passwords::broken_rule};
use guardengine_engine::fields::{FieldError, Fields};
use serde_json::json;
use utoipa::ToSchema;

use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Error, FromFields, Json, MessageBody},
};

/// The current and the new password.
#[derive(Debug, ToSchema)]
pub struct PasswordChange {
    /// The current password.
    #[schema(format = "password")]
    current_password: String,
    /// The new password: at least 8 characters, with an upper-case letter, a lower-case letter and a digit.
    #[schema(format = "password")]
    new_password: String,
}

impl FromFields for PasswordChange {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let current_password = fields.required_string("current_password")?.to_owned();
        let new_password = fields.required_string("new_password")?.to_owned();
        match broken_rule(&new_password) {
            Some(rule) => Err(FieldError::value("new_password", rule)),
            None => Ok(Self { current_password, new_password }),
        }
    }
}

/// Change your password
///
/// Ends the other sessions of the user. A wrong current password counts towards the lockout of the username.
#[utoipa::path(
    post, path = "/api/users/me/password", tag = "sessions", operation_id = "sessions_change_password",
    request_body = PasswordChange,
    security(("bearer" = [])),
    responses(
        (status = 200, description = "Password changed", body = MessageBody),
        (status = 429, description = "Rate limit exceeded, or the account is locked", body = ErrorBody),
        (status = 422, description = "The new password breaks a rule, or the current password does not match", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(auth): State<Auth>,
    Caller(caller): Caller,
    Body(change): Body<PasswordChange>,
) -> Answer<MessageBody> {
    let user = tenants.db.user(caller.user_id).await?.ok_or_else(|| Error::not_found("user"))?;
    if !auth.confirms(&user, &change.current_password).await? {
        return Err(FieldError::value("current_password", "does not match").into());
    }
    let kept = match caller.credential {
        Credential::Session(id) => Some(id),
        Credential::ApiKey(_) => None,
    };
    let hash = auth.passwords().hash(&change.new_password).await;
    let hash = hash.ok_or_else(|| Error::internal("the password could not be hashed"))?;
    let mut tx = tenants.audited().await?;
    tx.set_password_hash(caller.user_id, &hash, kept, tenants.clock.now()).await?;
    audit::commit(tx, &caller, "USERS:CHANGE_PASSWORD", &caller.username, json!({})).await?;
    Ok(Json(MessageBody::new("password changed")))
}
