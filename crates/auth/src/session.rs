//! Sessions: started by a sign-in, extended by requests and refreshes, ended by `/logout`, inactivity or token theft.

use std::net::IpAddr;

use guardengine_store::{NewSession, OrgOfUser, Refresh, Refreshed, Session, SessionUser, Timestamp};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    Auth, Error,
    audit::{self, Actor},
    principal_of_user, secret,
    token::{self, Claims},
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

impl Identity<'_> {
    /// Returns the user as an actor in the audit trail of an organization.
    pub fn actor(self, org_id: Uuid) -> Actor {
        Actor { org_id, principal: principal_of_user(self.username), address: self.address }
    }
}

impl Auth {
    /// Starts a session of `person` in the organization.
    pub async fn start_session(&self, person: Identity<'_>, org: &OrgOfUser) -> Result<TokenSet, Error> {
        let now = self.0.clock.now();
        let refresh_token = secret::random(REFRESH_TOKEN_CHARS);
        let new = NewSession {
            user_id: person.id,
            org_id: org.org_id,
            refresh_hash: &secret::digest(&refresh_token),
            expires_at: now + self.0.settings.session.refresh_token_ttl,
        };
        let mut tx = self.0.db.audited(now).await?;
        let session = tx.start_session(new, now).await?;
        let details = json!({ "session_id": session.id, "role": org.role });
        audit::commit(tx, person.actor(org.org_id), "SESSIONS:SIGN_IN", person.username, details).await?;
        self.tokens(&session, refresh_token, now)
    }

    /// Exchanges a refresh token for a new token set.
    pub async fn refresh(&self, presented: &str, address: IpAddr) -> Result<TokenSet, Error> {
        // The store decides whether the session is idle, so it needs the latest activity.
        self.0.usage.write(&self.0.db).await?;
        let now = self.0.clock.now();
        let new_token = secret::random(REFRESH_TOKEN_CHARS);
        let times = &self.0.settings.session;
        let refresh = Refresh {
            presented: &secret::digest(presented),
            next: &secret::digest(&new_token),
            expires_at: now + times.refresh_token_ttl,
            idle_timeout: times.idle_timeout,
            reuse_grace: times.reuse_grace,
        };
        let reuser = |reused: &SessionUser| {
            let person =
                Identity { id: reused.session.user_id, username: &reused.principal.username, address };
            person.actor(reused.session.org_id).into()
        };
        match self.0.db.refresh_session(refresh, reuser, now).await? {
            Refreshed::Rotated(session) => self.tokens(&session, new_token, now),
            Refreshed::Idle => Err(Error::SessionExpired),
            Refreshed::Reused(session) => {
                tracing::warn!(%session, "refresh token reused; session ended");
                Err(Error::InvalidToken)
            }
            Refreshed::ReusedInGrace | Refreshed::Expired | Refreshed::Ended | Refreshed::Unknown => {
                Err(Error::InvalidToken)
            }
        }
    }

    fn tokens(&self, session: &Session, refresh_token: String, now: Timestamp) -> Result<TokenSet, Error> {
        let lifetime = self.0.settings.session.access_token_ttl;
        let claims = Claims {
            sub: session.user_id,
            org: session.org_id,
            sid: session.id,
            iat: now.seconds(),
            exp: (now + lifetime).seconds(),
            jti: Uuid::new_v4(),
        };
        let key = self
            .0
            .signing_keys
            .current(now)
            .ok_or_else(|| Error::NotSigned("no signing key is loaded".to_owned()))?;
        let access_token = token::sign(&claims, &key).map_err(|error| Error::NotSigned(error.to_string()))?;
        Ok(TokenSet { access_token, refresh_token, token_type: "bearer", expires_in: lifetime.as_secs() })
    }

    /// Returns the session of an access token, with its user. Returns an error if the token or the session has ended.
    pub(crate) async fn session_of_token(&self, access_token: &str) -> Result<SessionUser, Error> {
        let now = self.0.clock.now();
        let claims = self.claims(access_token).await.ok_or(Error::InvalidToken)?;
        if claims.exp <= now.seconds() {
            return Err(Error::InvalidToken);
        }
        let found = self.0.db.session(claims.sid).await?.ok_or(Error::InvalidToken)?;
        if found.session.ended_at.is_some() {
            return Err(Error::InvalidToken);
        }
        if self.is_idle(&found.session, now) {
            return Err(Error::SessionExpired);
        }
        Ok(found)
    }

    /// Returns the claims of a token if one of our keys signed it.
    async fn claims(&self, access_token: &str) -> Option<Claims> {
        let key = self.0.signing_keys.of_id(&token::key_id(access_token)?).await?;
        token::verify(access_token, &key)
    }

    fn is_idle(&self, session: &Session, now: Timestamp) -> bool {
        let unwritten = self.0.usage.last_of_session(session.id);
        let last_active = unwritten.map_or(session.last_active_at, |at| at.max(session.last_active_at));
        now.since(last_active) > self.0.settings.session.idle_timeout
    }

    /// Returns true if a session is still valid: not ended, not idle, not expired.
    pub(crate) async fn is_session_open(&self, id: Uuid) -> Result<bool, Error> {
        let now = self.0.clock.now();
        let found = self.0.db.session(id).await?.map(|found| found.session);
        Ok(found.is_some_and(|session| {
            session.ended_at.is_none() && session.expires_at > now && !self.is_idle(&session, now)
        }))
    }
}
