//! The authenticated caller of a request. An API key takes precedence over a token.

use std::net::IpAddr;

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};
use guardengine_auth::{Auth, Principal};

use super::Error;

const API_KEY: &str = "x-api-key";

/// The authenticated caller, as an argument of handlers.
#[derive(Clone, Debug)]
pub struct Caller(pub Principal);

impl Caller {
    /// Returns true if the headers contain an API key, valid or not.
    pub(super) fn shows_key_in(headers: &HeaderMap) -> bool {
        headers.contains_key(API_KEY)
    }

    /// Authenticates a request. If there is an API key, a token is ignored.
    pub async fn of(auth: &Auth, headers: &HeaderMap, address: IpAddr) -> Result<Principal, Error> {
        if let Some(key) = headers.get(API_KEY) {
            let key = key.to_str().map_err(|_| guardengine_auth::Error::InvalidApiKey)?;
            return Ok(auth.owner_of_key(key, address).await?);
        }
        let token = bearer(headers).ok_or(guardengine_auth::Error::InvalidToken)?;
        Ok(auth.user_of_token(token, address).await?)
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        // Set by admission; routes without admission have no caller.
        let caller = parts.extensions.get::<Principal>().cloned();
        Ok(Self(caller.ok_or(guardengine_auth::Error::InvalidToken)?))
    }
}
