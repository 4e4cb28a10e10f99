use axum::extract::State;
use guardengine_auth::{Credential, audit, secret};
use serde_json::json;

use super::refresh::RefreshToken;
use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Json, MessageBody},
};

/// Sign out
///
/// Ends the session: its access and refresh token stop working at once.
#[utoipa::path(
    post, path = "/logout", tag = "sessions", operation_id = "sessions_logout",
    request_body = RefreshToken,
    security(("bearer" = [])),
    responses(
        (status = 200, description = "Signed out", body = MessageBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Body(request): Body<RefreshToken>,
) -> Answer<MessageBody> {
    let now = tenants.clock.now();
    // The refresh token may be another session's, of the same user only.
    let named = tenants.db.session_of_refresh_token(&secret::digest(&request.refresh_token)).await?;
    let mut tx = tenants.audited().await?;
    if let Credential::Session(id) = caller.credential {
        tx.end_session(id, now).await?;
    }
    if let Some(session) = named.filter(|session| session.user_id == caller.user_id) {
        tx.end_session(session.id, now).await?;
    }
    audit::commit(tx, &caller, "SESSIONS:SIGN_OUT", &caller.username, json!({})).await?;
    Ok(Json(MessageBody::new("logged out")))
}
