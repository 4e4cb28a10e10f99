//! Sessions: users see and end their own, and administrators end those of a user.

use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Credential, Principal, audit};
use guardengine_store::{Session, Timestamp};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::role_rules::AssignableRole;
use crate::{
    app::{Operations, Tenants},
    http::{Answer, Caller, Error, Json, MessageBody, PathId},
};

/// An open session.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionRecord {
    session_id: Uuid,
    /// The organization of the session.
    org_id: Uuid,
    /// Time of the sign-in.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Time of the last request. Written with a delay of some seconds.
    #[schema(value_type = String, format = DateTime)]
    last_active_at: Timestamp,
    /// Time at which the session ends unless it is refreshed.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    /// True for the session of this request.
    current: bool,
}

/// The open sessions of the current user.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sessions {
    /// The most recently active first, at most 100.
    sessions: Vec<SessionRecord>,
}

/// List your sessions
///
/// Returns the open sessions of the current user, in all organizations.
#[utoipa::path(
    get, path = "/api/users/me/sessions", tag = "sessions", operation_id = "sessions_list",
    security(("bearer" = []), ("api_key" = [])),
    responses((status = 200, description = "The open sessions", body = Sessions))
)]
pub async fn list(
    State(tenants): State<Tenants>,
    State(operations): State<Operations>,
    Caller(caller): Caller,
) -> Answer<Sessions> {
    let now = tenants.clock.now();
    let active_since = now - operations.settings.auth.session.idle_timeout;
    let open = tenants.db.open_sessions(caller.user_id, active_since, now).await?;
    let own = own_session(&caller);
    let record = |Session { id, org_id, created_at, last_active_at, expires_at, .. }| SessionRecord {
        session_id: id,
        org_id,
        created_at,
        last_active_at,
        expires_at,
        current: Some(id) == own,
    };
    Ok(Json(Sessions { sessions: open.into_iter().map(record).collect() }))
}

/// End one of your sessions
///
/// Its access and refresh token stop working at once.
#[utoipa::path(
    delete, path = "/api/users/me/sessions/{session_id}", tag = "sessions", operation_id = "sessions_end",
    params(("session_id" = Uuid, Path, description = "Session identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Session ended", body = MessageBody),
        (status = 404, description = "Session not found", body = ErrorBody),
    )
)]
pub async fn end(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<MessageBody> {
    let named = tenants.db.session(id).await?.filter(|named| named.session.user_id == caller.user_id);
    let mut tx = tenants.audited().await?;
    if named.is_none() || !tx.end_session(id, tenants.clock.now()).await? {
        return Err(Error::not_found("session"));
    }
    audit::commit(tx, &caller, "SESSIONS:END_SESSION", id, json!({})).await?;
    Ok(Json(MessageBody::new("session ended")))
}

/// End your other sessions
///
/// Ends every session of the current user but that of this request, in all organizations.
#[utoipa::path(
    delete, path = "/api/users/me/sessions", tag = "sessions", operation_id = "sessions_end_others",
    security(("bearer" = []), ("api_key" = [])),
    responses((status = 200, description = "Sessions ended", body = MessageBody))
)]
pub async fn end_others(State(tenants): State<Tenants>, Caller(caller): Caller) -> Answer<MessageBody> {
    let mut tx = tenants.audited().await?;
    let now = tenants.clock.now();
    let ended = tx.end_sessions_of_user(caller.user_id, None, own_session(&caller), now).await?;
    let details = json!({ "sessions": ended.len() });
    audit::commit(tx, &caller, "SESSIONS:END_OTHER_SESSIONS", &caller.username, details).await?;
    Ok(Json(MessageBody::new("sessions ended")))
}

/// End a user's sessions
///
/// Ends the sessions of a user in the caller's organization at once. API keys keep working. Callers cannot do this to users
/// with permissions that they lack.
#[utoipa::path(
    delete, path = "/api/users/{user_id}/sessions", tag = "users", operation_id = "users_end_sessions",
    params(("user_id" = Uuid, Path, description = "User identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Sessions ended", body = MessageBody),
        (status = 403, description = "Missing permission, or the user holds more", body = ErrorBody),
        (status = 404, description = "User not found", body = ErrorBody),
    )
)]
pub async fn end_of_user(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<MessageBody> {
    let member = tenants.db.member(caller.org_id, id).await?.ok_or_else(|| Error::not_found("user"))?;
    AssignableRole::held(&tenants, &caller, &member.role).await?.within(&caller)?;
    let mut tx = tenants.audited().await?;
    let kept = own_session(&caller);
    let ended = tx.end_sessions_of_user(id, Some(caller.org_id), kept, tenants.clock.now()).await?;
    audit::commit(tx, &caller, "USERS:END_SESSIONS", id, json!({ "sessions": ended.len() })).await?;
    Ok(Json(MessageBody::new("sessions ended")))
}

const fn own_session(caller: &Principal) -> Option<Uuid> {
    match caller.credential {
        Credential::Session(id) => Some(id),
        Credential::ApiKey(_) => None,
    }
}
