//! Errors of authentication and authorization. The messages are for the caller, except those of internal failures.

use std::time::Duration;

use guardengine_store::StoreError;

use crate::Permission;

/// A refusal, or a failure of the service.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The token is unknown, altered, expired or used.
    #[error("invalid or expired token")]
    InvalidToken,
    /// The session was idle for too long.
    #[error("session expired, log in again")]
    SessionExpired,
    /// Unknown user, wrong password, or a user without an organization.
    #[error("invalid username or password")]
    InvalidCredentials,
    /// Unknown API key.
    #[error("invalid API key")]
    InvalidApiKey,
    /// The API key was revoked, or its creator has left the organization.
    #[error("API key inactive")]
    InactiveApiKey,
    /// The API key has expired.
    #[error("API key expired")]
    ExpiredApiKey,
    /// Too many failed sign-ins.
    #[error("too many failed attempts, try again in {} seconds", whole_seconds(*.0))]
    LockedOut(Duration),
    /// The role lacks a permission.
    #[error("missing required permission: {0}")]
    MissingPermission(Permission),
    /// The object does not exist, or belongs to another organization.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// The project has members, and the caller is none of them.
    #[error("not a member of this project")]
    NotAMember,
    /// No access token can be signed.
    #[error("no access token could be signed: {0}")]
    NotSigned(String),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] guardengine_store::Error),
}

impl StoreError for Error {
    fn is_store_unavailable(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_unavailable())
    }
}

/// Rounds up to whole seconds, at least one.
pub fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0 || wait.is_zero())
}
