//! The keys that sign access tokens: kept sealed, and rotated while the service runs.
//!
//! Every replica reads them anew each second, and a new key signs only when all have had the time to: so no replica
//! meets a token that it cannot verify. Older keys verify until what they signed is over; then they are forgotten.

use std::{
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, Instant},
};

use guardengine_store::{Db, SigningKey, Timestamp};
use guardengine_vault::{Error, SIGNING_KEY_AAD, Vault};

/// How often the keys are read anew.
pub const RENEW: Duration = Duration::from_secs(1);
/// How old a key is when it begins to sign.
const RIPE: Duration = Duration::from_secs(3);
/// How much longer than the life of a token a key is kept that no longer signs.
pub const KEPT: Duration = Duration::from_mins(10);

/// A key, opened.
pub struct Key {
    /// The token header's `kid`.
    pub id: String,
    /// The secret, of HS256.
    pub secret: Vec<u8>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The signing keys, newest first.
pub struct SigningKeys {
    db: Db,
    vault: Vault,
    known: RwLock<Arc<[Arc<Key>]>>,
    looked_up: Mutex<Option<Instant>>,
}

impl SigningKeys {
    /// Loads the keys, and makes the first one.
    pub async fn load(db: Db, vault: Vault, now: Timestamp) -> Result<Self, Error> {
        if db.signing_keys().await.map_err(Arc::new)?.is_empty() {
            add(&db, &vault, now).await?;
        }
        let keys = Self { db, vault, known: RwLock::new(Arc::new([])), looked_up: Mutex::default() };
        keys.renew().await?;
        Ok(keys)
    }

    /// Reads the keys anew; what cannot be read leaves the known ones in place.
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

    /// The key that signs now.
    pub fn current(&self, now: Timestamp) -> Option<Arc<Key>> {
        let known = self.known();
        let ripe = known.iter().find(|key| now.since(key.created_at) >= RIPE);
        ripe.or(known.last()).cloned()
    }

    /// The key of that id. One that is not known is looked up, at most once a second: anybody can make up an id.
    pub async fn of_id(&self, id: &str) -> Option<Arc<Key>> {
        if let Some(key) = self.among_known(id) {
            return Some(key);
        }
        if !self.may_look_up() {
            return None;
        }
        if let Err(fault) = self.renew().await {
            tracing::warn!(%fault, "signing keys not read");
        }
        self.among_known(id)
    }

    fn among_known(&self, id: &str) -> Option<Arc<Key>> {
        self.known().iter().find(|key| key.id == id).cloned()
    }

    fn may_look_up(&self) -> bool {
        let mut last = self.looked_up.lock().unwrap_or_else(PoisonError::into_inner);
        let may = last.is_none_or(|last| last.elapsed() >= RENEW);
        if may {
            *last = Some(Instant::now());
        }
        may
    }
}

/// Adds a key, which signs before long.
pub async fn add(db: &Db, vault: &Vault, now: Timestamp) -> Result<SigningKey, Error> {
    let sealed = vault.master().seal(SIGNING_KEY_AAD, &rand::random::<[u8; 32]>());
    Ok(db.add_signing_key(&sealed, now).await.map_err(Arc::new)?)
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

    async fn added(keys: &SigningKeys, now: Timestamp) -> String {
        add(&keys.db, &keys.vault, now).await.unwrap().id.to_string()
    }

    #[tokio::test]
    async fn a_new_key_verifies_at_once_and_signs_when_it_is_ripe() {
        let folder = tempfile::tempdir().unwrap();
        let now = Timestamp::from_micros(1_767_323_045_000_000);
        let keys = keys(folder.path(), now).await;
        let signs = |now| keys.current(now).unwrap().id.clone();
        let first = signs(now);
        let second = added(&keys, now + Duration::from_mins(1)).await;
        keys.renew().await.unwrap();
        let made = now + Duration::from_mins(1);
        assert_eq!(signs(made), first);
        assert_eq!(signs(made + RIPE), second);
        for id in [&first, &second] {
            assert_eq!(&keys.of_id(id).await.unwrap().id, id);
        }
    }

    #[tokio::test]
    async fn an_unknown_key_is_looked_up_once_a_second_at_most() {
        let folder = tempfile::tempdir().unwrap();
        let now = Timestamp::from_micros(1_767_323_045_000_000);
        let keys = keys(folder.path(), now).await;
        let second = added(&keys, now + Duration::from_secs(1)).await;
        assert_eq!(keys.of_id(&second).await.unwrap().id, second);
        let third = added(&keys, now + Duration::from_secs(2)).await;
        assert!(keys.of_id(&third).await.is_none());
        *keys.looked_up.lock().unwrap() = Instant::now().checked_sub(RENEW);
        assert_eq!(keys.of_id(&third).await.unwrap().id, third);
    }
}
