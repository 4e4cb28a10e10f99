//! Lookup of the principal of a credential.

use std::net::IpAddr;

use guardengine_store::{ApiKeyUser, SessionUser, StoreError as _, Timestamp};

use crate::{Auth, Credential, Error, KeyScope, Principal, principal_cache::PrincipalCache, secret};

impl Auth {
    /// Returns the user of an access token.
    pub async fn user_of_token(&self, token: &str, address: IpAddr) -> Result<Principal, Error> {
        self.0.health.run(self.read_token(token, address)).await
    }

    /// Returns the owner of an API key, from the cache if the database is unavailable.
    pub async fn owner_of_key(&self, key: &str, address: IpAddr) -> Result<Principal, Error> {
        let digest = secret::digest(key);
        match &self.0.cache {
            Some(cache) => self.read_key_with_cache(cache, &digest, address).await,
            None => Ok(self.read_key(&digest, address).await?.0),
        }
    }

    async fn read_key_with_cache(
        &self,
        cache: &PrincipalCache,
        digest: &[u8; 32],
        address: IpAddr,
    ) -> Result<Principal, Error> {
        let epoch = cache.epoch();
        match self.0.health.run(self.read_key(digest, address)).await {
            Ok((caller, expires_at)) => {
                cache.insert(*digest, &caller, expires_at, epoch);
                Ok(caller)
            }
            Err(error) if error.is_store_unavailable() => {
                let now = self.0.clock.now();
                let caller = cache.get(digest, address, now).ok_or(error)?;
                if let Credential::ApiKey(id) = caller.credential {
                    self.0.usage.key(id, now);
                }
                Ok(caller)
            }
            Err(refusal) => {
                cache.remove(digest);
                Err(refusal)
            }
        }
    }

    /// Reads the owner of an API key and its expiry from the database.
    async fn read_key(
        &self,
        digest: &[u8; 32],
        address: IpAddr,
    ) -> Result<(Principal, Option<Timestamp>), Error> {
        let now = self.0.clock.now();
        let found = self.0.db.api_key_by_hash(digest).await?;
        let ApiKeyUser { key, principal } = found.ok_or(Error::InvalidApiKey)?;
        if !key.is_active {
            return Err(Error::InactiveApiKey);
        }
        let (credential, scope) = (Credential::ApiKey(key.id), Some(KeyScope::from(&key)));
        let caller = Principal::acting(key.user_id, key.org_id, principal, credential, scope, address)
            .ok_or(Error::InactiveApiKey)?;
        if key.expires_at.is_some_and(|end| end <= now) {
            return Err(Error::ExpiredApiKey);
        }
        self.0.usage.key(key.id, now);
        Ok((caller, key.expires_at))
    }

    async fn read_token(&self, token: &str, address: IpAddr) -> Result<Principal, Error> {
        let SessionUser { session, principal } = self.session_of_token(token).await?;
        let credential = Credential::Session(session.id);
        let caller = Principal::acting(session.user_id, session.org_id, principal, credential, None, address)
            .ok_or(Error::InvalidToken)?;
        self.0.usage.session(session.id, self.0.clock.now());
        Ok(caller)
    }

    /// Returns true if a caller's credential and role are still valid. Does not count as activity.
    pub async fn is_still_authorized(&self, caller: &Principal) -> Result<bool, Error> {
        let is_open = match caller.credential {
            Credential::ApiKey(id) => {
                let key = self.0.db.api_key(caller.org_id, id).await?.filter(|key| key.is_active);
                key.is_some_and(|key| key.expires_at.is_none_or(|end| end > self.0.clock.now()))
            }
            Credential::Session(id) => self.is_session_open(id).await?,
        };
        let role = self.0.db.role_of_member(caller.org_id, caller.user_id).await?;
        Ok(is_open && role.as_ref() == Some(&caller.role))
    }
}
