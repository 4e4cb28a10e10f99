//! Signing keys of access tokens: stored encrypted, and rotated while the service runs.
//!
//! Every replica reloads the keys each second. A new key signs only after all replicas had time to load it, so no replica
//! sees a token that it cannot verify. Older keys verify until their tokens have expired; then they are deleted.

use std::{
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, Instant},
};

use guardengine_store::{Db, SigningKey, Timestamp};
use guardengine_vault::{Error, SIGNING_KEY_AAD, Vault};

/// Interval at which the keys are reloaded.
pub const RELOAD_INTERVAL: Duration = Duration::from_secs(1);
/// Age at which a key starts to sign.
const MIN_SIGNING_AGE: Duration = Duration::from_secs(3);
/// Time for which a replaced key is kept after its last token has expired.
pub const RETENTION_MARGIN: Duration = Duration::from_mins(10);

/// A decrypted signing key.
pub struct Key {
    /// Key id, the `kid` of token headers.
    pub id: String,
    /// HS256 secret.
    pub secret: Vec<u8>,
    /// Creation time.
    pub created_at: Timestamp,
}

/// The signing keys, newest first.
pub struct SigningKeys {
    db: Db,
    vault: Vault,
    known: RwLock<Arc<[Arc<Key>]>>,
    last_lookup: Mutex<Option<Instant>>,
}

impl SigningKeys {
    /// Loads the keys. Creates the first one if none exists.
    pub async fn load(db: Db, vault: Vault, now: Timestamp) -> Result<Self, Error> {
        if db.signing_keys().await.map_err(Arc::new)?.is_empty() {
            add(&db, &vault, now).await?;
        }
        let keys = Self { db, vault, known: RwLock::new(Arc::new([])), last_lookup: Mutex::default() };
        keys.renew().await?;
        Ok(keys)
    }

    /// Reloads the keys. On errors the known keys stay in use.
    pub async fn renew(&self) -> Result<(), Error> {
        let stored = self.db.signing_keys().await.map_err(Arc::new)?;
        let known = self.known();
        let is_same = stored.iter().map(|key| key.id.to_string()).eq(known.iter().map(|key| key.id.clone()));
        if !is_same {
            let opened: Result<Vec<_>, Error> =
                stored.iter().map(|key| self.open(key).map(Arc::new)).collect();
            *self.known.write().unwrap_or_else(PoisonError::into_inner) = opened?.into();
        }
        Ok(())
    }

    fn open(&self, key: &SigningKey) -> Result<Key, Error> {
        let secret = self.vault.master().open(SIGNING_KEY_AAD, &key.sealed)?;
        Ok(Key { id: key.id.to_string(), secret, created_at: key.created_at })
    }

    fn known(&self) -> Arc<[Arc<Key>]> {
        Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the key that signs at `now`.
    pub fn current(&self, now: Timestamp) -> Option<Arc<Key>> {
        let known = self.known();
        let active = known.iter().find(|key| now.since(key.created_at) >= MIN_SIGNING_AGE);
        active.or(known.last()).cloned()
    }

    /// Returns the key with this id. Unknown ids lead to a reload, at most once a second, because anybody can invent an id.
    pub async fn of_id(&self, id: &str) -> Option<Arc<Key>> {
        if let Some(key) = self.among_known(id) {
            return Some(key);
        }
        if !self.may_look_up() {
            return None;
        }
        if let Err(error) = self.renew().await {
            tracing::warn!(%error, "could not load signing keys");
        }
        self.among_known(id)
    }

    fn among_known(&self, id: &str) -> Option<Arc<Key>> {
        self.known().iter().find(|key| key.id == id).cloned()
    }

    fn may_look_up(&self) -> bool {
        let mut last = self.last_lookup.lock().unwrap_or_else(PoisonError::into_inner);
        let may_reload = last.is_none_or(|last| last.elapsed() >= RELOAD_INTERVAL);
        if may_reload {
            *last = Some(Instant::now());
        }
        may_reload
    }
}

/// Adds a key. It starts to sign after `MIN_SIGNING_AGE`.
pub async fn add(db: &Db, vault: &Vault, now: Timestamp) -> Result<SigningKey, Error> {
    Ok(db.add_signing_key(&generate(vault), now).await.map_err(Arc::new)?)
}

/// Generates a key, sealed under the master key.
pub fn generate(vault: &Vault) -> Vec<u8> {
    vault.master().seal(SIGNING_KEY_AAD, &rand::random::<[u8; 32]>())
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, prelude::BASE64_STANDARD};

    use super::*;
    use guardengine_vault::MasterKey;

    async fn keys(folder: &std::path::Path, now: Timestamp) -> SigningKeys {
        let db = Db::open(&format!("sqlite://{}", folder.join("keys.db").display())).await.unwrap();
        let master = MasterKey::configured(&BASE64_STANDARD.encode([7; 32])).unwrap();
        SigningKeys::load(db.clone(), Vault::new(db, master), now).await.unwrap()
    }

    async fn add_key(keys: &SigningKeys, now: Timestamp) -> String {
        add(&keys.db, &keys.vault, now).await.unwrap().id.to_string()
    }

    #[tokio::test]
    async fn a_new_key_verifies_at_once_and_signs_later() {
        let folder = tempfile::tempdir().unwrap();
        let now = Timestamp::from_micros(1_767_323_045_000_000);
        let keys = keys(folder.path(), now).await;
        let signs = |now| keys.current(now).unwrap().id.clone();
        let first = signs(now);
        let second = add_key(&keys, now + Duration::from_mins(1)).await;
        keys.renew().await.unwrap();
        let created = now + Duration::from_mins(1);
        assert_eq!(signs(created), first);
        assert_eq!(signs(created + MIN_SIGNING_AGE), second);
        for id in [&first, &second] {
            assert_eq!(&keys.of_id(id).await.unwrap().id, id);
        }
    }

    #[tokio::test]
    async fn unknown_keys_are_looked_up_at_most_once_a_second() {
        let folder = tempfile::tempdir().unwrap();
        let now = Timestamp::from_micros(1_767_323_045_000_000);
        let keys = keys(folder.path(), now).await;
        let second = add_key(&keys, now + Duration::from_secs(1)).await;
        assert_eq!(keys.of_id(&second).await.unwrap().id, second);
        let third = add_key(&keys, now + Duration::from_secs(2)).await;
        assert!(keys.of_id(&third).await.is_none());
        *keys.last_lookup.lock().unwrap() = Instant::now().checked_sub(RELOAD_INTERVAL);
        assert_eq!(keys.of_id(&third).await.unwrap().id, third);
    }
}
