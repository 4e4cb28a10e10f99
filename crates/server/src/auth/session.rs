//! Sessions: started by a sign-in, extended by requests and refreshes, ended by `/logout`, inactivity or token theft.

use std::net::IpAddr;

use guardengine_store::{NewSession, OrgOfUser, Refresh, Refreshed, Session, SessionUser, Timestamp};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    secret,
    token::{self, Claims},
};
use crate::{
    app::App,
    audit::{self, Actor},
    http::{Error, principal_of_user},
};

const REFRESH_TOKEN_CHARS: usize = 64;

/// Response to a sign-in, a refresh and a choice of organization.
#[derive(Debug, Serialize, ToSchema)]
pub struct TokenSet {
    /// JWT for `Authorization: Bearer`.
    pub access_token: String,
    /// Refresh token. Valid once; every refresh returns a new one.
    pub refresh_token: String,
    /// Always `bearer`.
    pub token_type: &'static str,
    /// Lifetime of the access token in seconds.
    pub expires_in: u64,
}

/// An authenticated user.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'a> {
    /// User id.
    pub id: Uuid,
    /// Username.
    pub username: &'a str,
    /// IP address of the client.
    pub address: IpAddr,
}

/// Starts a session of `person` in the organization.
pub async fn start(app: &App, person: Identity<'_>, org: &OrgOfUser) -> Result<TokenSet, Error> {
    let now = app.clock.now();
    let refresh_token = secret::random(REFRESH_TOKEN_CHARS);
    let new = NewSession {
        user_id: person.id,
        org_id: org.org_id,
        refresh_hash: &secret::digest(&refresh_token),
        expires_at: now + app.settings.session.refresh_token_ttl,
    };
    let mut tx = audit::begin(app).await?;
    let session = tx.start_session(new, now).await?;
    let details = json!({ "session_id": session.id, "role": org.role });
    audit::commit(tx, person.actor(org.org_id), "SESSIONS:SIGN_IN", person.username, details).await?;
    tokens(app, &session, refresh_token, now)
}

impl Identity<'_> {
    /// Returns the user as an actor in the audit trail of an organization.
    pub fn actor(self, org_id: Uuid) -> Actor {
        Actor { org_id, principal: principal_of_user(self.username), address: self.address }
    }
}

/// Exchanges a refresh token for a new token set.
pub async fn refresh(app: &App, presented: &str, address: IpAddr) -> Result<TokenSet, Error> {
    // The store decides whether the session is idle, so it needs the latest activity.
    app.usage.write(&app.db).await?;
    let now = app.clock.now();
    let new_token = secret::random(REFRESH_TOKEN_CHARS);
    let times = &app.settings.session;
    let refresh = Refresh {
        presented: &secret::digest(presented),
        next: &secret::digest(&new_token),
        expires_at: now + times.refresh_token_ttl,
        idle_timeout: times.idle_timeout,
        reuse_grace: times.reuse_grace,
    };
    let reuser = |reused: &SessionUser| {
        let person = Identity { id: reused.session.user_id, username: &reused.principal.username, address };
        person.actor(reused.session.org_id).into()
    };
    match app.db.refresh_session(refresh, reuser, now).await? {
        Refreshed::Rotated(session) => tokens(app, &session, new_token, now),
        Refreshed::Idle => Err(Error::session_expired()),
        Refreshed::Reused(session) => {
            tracing::warn!(%session, "refresh token reused; session ended");
            Err(Error::invalid_token())
        }
        Refreshed::ReusedInGrace | Refreshed::Expired | Refreshed::Ended | Refreshed::Unknown => {
            Err(Error::invalid_token())
        }
    }
}

fn tokens(app: &App, session: &Session, refresh_token: String, now: Timestamp) -> Result<TokenSet, Error> {
    let lifetime = app.settings.session.access_token_ttl;
    let claims = Claims {
        sub: session.user_id,
        org: session.org_id,
        sid: session.id,
        iat: now.seconds(),
        exp: (now + lifetime).seconds(),
        jti: Uuid::new_v4(),
    };
    let key = app.signing_keys.current(now).ok_or_else(|| Error::internal("no signing key available"))?;
    let access_token = token::sign(&claims, &key).map_err(Error::internal)?;
    Ok(TokenSet { access_token, refresh_token, token_type: "bearer", expires_in: lifetime.as_secs() })
}

/// Returns the session of an access token, with its user. Returns a 401 error if the token or the session has ended.
pub async fn of_token(app: &App, access_token: &str) -> Result<SessionUser, Error> {
    let now = app.clock.now();
    let claims = claims(app, access_token).await.ok_or_else(Error::invalid_token)?;
    if claims.exp <= now.seconds() {
        return Err(Error::invalid_token());
    }
    let found = app.db.session(claims.sid).await?.ok_or_else(Error::invalid_token)?;
    if found.session.ended_at.is_some() {
        return Err(Error::invalid_token());
    }
    if is_idle(app, &found.session, now) {
        return Err(Error::session_expired());
    }
    Ok(found)
}

/// Returns the claims of a token if one of our keys signed it.
async fn claims(app: &App, access_token: &str) -> Option<Claims> {
    let key = app.signing_keys.of_id(&token::key_id(access_token)?).await?;
    token::verify(access_token, &key)
}

fn is_idle(app: &App, session: &Session, now: Timestamp) -> bool {
    let unwritten = app.usage.last_of_session(session.id);
    let last_active = unwritten.map_or(session.last_active_at, |at| at.max(session.last_active_at));
    now.since(last_active) > app.settings.session.idle_timeout
}

/// Returns true if a session is still valid: not ended, not idle, not expired.
pub async fn is_open(app: &App, id: Uuid) -> Result<bool, Error> {
    let now = app.clock.now();
    let found = app.db.session(id).await?.map(|found| found.session);
    Ok(found.is_some_and(|session| {
        session.ended_at.is_none() && session.expires_at > now && !is_idle(app, &session, now)
    }))
}
