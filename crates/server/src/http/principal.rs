//! The authenticated caller. An API key takes precedence over a token.

use std::net::IpAddr;

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};
use guardengine_store::{ApiKeyUser, PrincipalRow, SessionUser, Timestamp};
use uuid::Uuid;

use super::{Error, Permissions, permission};
use crate::{
    app::App,
    auth::{secret, session},
    config::OrgLimits,
};

const API_KEY: &str = "x-api-key";

/// The credential of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// An API key, by id.
    ApiKey(Uuid),
    /// The access token of a session, by id.
    Session(Uuid),
}

/// An authenticated caller.
#[derive(Clone, Debug)]
pub struct Principal {
    /// User, or owner of the API key.
    pub user_id: Uuid,
    /// Username.
    pub username: String,
    /// Organization of the session or API key.
    pub org_id: Uuid,
    /// Role in the organization.
    pub role: String,
    /// Permissions of the role.
    pub permissions: Permissions,
    /// Rate limits of the organization.
    pub limits: OrgLimits,
    /// Credential of the request.
    pub credential: Credential,
    /// Client address.
    pub address: IpAddr,
}

impl Principal {
    /// Whether the headers contain an API key, valid or not.
    pub(super) fn shows_key_in(headers: &HeaderMap) -> bool {
        headers.contains_key(API_KEY)
    }

    /// Authenticates a request. If there is an API key, a token is ignored.
    pub async fn of(app: &App, headers: &HeaderMap, address: IpAddr) -> Result<Self, Error> {
        if let Some(key) = headers.get(API_KEY) {
            let key = key.to_str().map_err(|_| Error::unauthorized("invalid API key"))?;
            return Self::of_key(app, key, address).await;
        }
        let token = bearer(headers).ok_or_else(Error::invalid_token)?;
        app.degraded.watch.run(Self::of_token(app, token, address)).await
    }

    /// Returns the owner of an API key, from the cache if the store is unavailable.
    pub(super) async fn of_key(app: &App, key: &str, address: IpAddr) -> Result<Self, Error> {
        let (digest, now) = (secret::digest(key), app.clock.now());
        let Some(known) = &app.degraded.known else {
            return Ok(Self::read_key(app, &digest, address).await?.0);
        };
        let read = known.read();
        match app.degraded.watch.run(Self::read_key(app, &digest, address)).await {
            Ok((caller, expires_at)) => {
                known.keep_caller(digest, &caller, expires_at, read);
                Ok(caller)
            }
            Err(error) if error.is_store_unavailable() => {
                let caller = known.caller(&digest, address, now).ok_or(error)?;
                if let Credential::ApiKey(id) = caller.credential {
                    app.usage.key(id, now);
                }
                Ok(caller)
            }
            Err(refusal) => {
                known.forget_caller(&digest);
                Err(refusal)
            }
        }
    }

    /// Reads the owner of an API key and its expiry from the store.
    async fn read_key(
        app: &App,
        digest: &[u8; 32],
        address: IpAddr,
    ) -> Result<(Self, Option<Timestamp>), Error> {
        let now = app.clock.now();
        let found = app.db.api_key_by_hash(digest).await?;
        let ApiKeyUser { key, principal } = found.ok_or_else(|| Error::unauthorized("invalid API key"))?;
        if !key.is_active {
            return Err(Error::unauthorized("API key inactive"));
        }
        // A key is inactive after its creator has left the organization.
        let caller = Self::from_row(key.user_id, key.org_id, principal, Credential::ApiKey(key.id), address)
            .ok_or_else(|| Error::unauthorized("API key inactive"))?;
        if key.expires_at.is_some_and(|end| end <= now) {
            return Err(Error::unauthorized("API key expired"));
        }
        app.usage.key(key.id, now);
        Ok((caller, key.expires_at))
    }

    async fn of_token(app: &App, token: &str, address: IpAddr) -> Result<Self, Error> {
        let SessionUser { session, principal } = session::of_token(app, token).await?;
        let credential = Credential::Session(session.id);
        let caller = Self::from_row(session.user_id, session.org_id, principal, credential, address)
            .ok_or_else(Error::invalid_token)?;
        app.usage.session(session.id, app.clock.now());
        Ok(caller)
    }

    /// Returns `None` if the user no longer belongs to the organization.
    fn from_row(
        user_id: Uuid,
        org_id: Uuid,
        principal: PrincipalRow,
        credential: Credential,
        address: IpAddr,
    ) -> Option<Self> {
        let PrincipalRow { username, role, role_permissions, limits } = principal;
        let role = role?;
        let permissions = Permissions::of_role(&role, role_permissions.as_deref());
        let limits = OrgLimits::read(limits.as_deref());
        Some(Self { user_id, username, org_id, role, permissions, limits, credential, address })
    }

    /// Returns 403 unless the caller holds all `permissions`.
    pub fn holds(&self, permissions: Permissions) -> Result<(), Error> {
        permissions
            .first_missing_from(self.permissions)
            .map_or(Ok(()), |missing| Err(Error::missing_permission(missing)))
    }

    /// Identifier under which requests are counted: the API key or the user.
    pub const fn principal(&self) -> Uuid {
        match self.credential {
            Credential::ApiKey(id) => id,
            Credential::Session(_) => self.user_id,
        }
    }

    /// Principal, as log entries name it.
    pub fn principal_name(&self) -> String {
        match self.credential {
            Credential::ApiKey(id) => principal_of_key(id),
            Credential::Session(_) => principal_of_user(&self.username),
        }
    }

    /// Whether the credential and role are still valid. Does not count as activity.
    pub async fn is_still_authorized(&self, app: &App) -> Result<bool, Error> {
        let is_open = match self.credential {
            Credential::ApiKey(id) => {
                let key = app.db.api_key(self.org_id, id).await?.filter(|key| key.is_active);
                key.is_some_and(|key| key.expires_at.is_none_or(|end| end > app.clock.now()))
            }
            Credential::Session(id) => session::is_open(app, id).await?,
        };
        let role = app.db.role_of_member(self.org_id, self.user_id).await?;
        Ok(is_open && role.as_ref() == Some(&self.role))
    }

    /// Whether the caller belongs to every project of the organization.
    pub fn sees_all_projects(&self) -> bool {
        permission::sees_all_projects(&self.role)
    }
}

/// Name of a user in log entries and the audit trail.
pub fn principal_of_user(username: &str) -> String {
    format!("user:{username}")
}

/// Name of an API key in log entries and the audit trail.
pub fn principal_of_key(id: Uuid) -> String {
    format!("api_key:{id}")
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

impl<S: Sync> FromRequestParts<S> for Principal {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        // Set by admission; routes without admission have no caller.
        parts.extensions.get::<Self>().cloned().ok_or_else(Error::invalid_token)
    }
}
