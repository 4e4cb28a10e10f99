//! Secrets at rest: sealed under a data key per organisation, which is itself sealed under the master key.
//!
//! A sealed value is `version (1) ‖ key id (8) ‖ nonce (24) ‖ ciphertext and tag` of XChaCha20-Poly1305
//! (draft-irtf-cfrg-xchacha-03). What it belongs to is authenticated with it, so that a value moved to another
//! organisation, record or field does not open.

use std::{fs, io::Write as _, os::unix::fs::OpenOptionsExt as _, path::Path, sync::Arc};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use guardengine_engine::pii::mask::MaskKeys;
use guardengine_store::Db;
use moka::future::Cache;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

const VERSION: u8 = 1;
const KEY_ID: usize = 8;
const NONCE: usize = 24;
const ORGS: u64 = 10_000;

/// Why a value cannot be sealed or opened.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The master key's file.
    #[error("master key {path}: {why}")]
    MasterKey {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// The value was sealed under another key, for another place, or was altered.
    #[error("a sealed value does not open: another master key, or altered data")]
    Closed,
    /// The organisation is not there.
    #[error("no such organisation")]
    NoOrganization,
    /// The store.
    #[error(transparent)]
    Store(#[from] Arc<guardengine_store::Error>),
}

/// 32 bytes that seal and open.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    fn random() -> Self {
        Self(rand::random())
    }

    fn id(&self) -> [u8; KEY_ID] {
        let digest = Sha256::digest(self.0);
        std::array::from_fn(|at| digest[at])
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.0.into())
    }

    /// Seals `value` for `place`.
    pub fn seal(&self, place: &str, value: &[u8]) -> Vec<u8> {
        let nonce: [u8; NONCE] = rand::random();
        let payload = Payload { msg: value, aad: place.as_bytes() };
        // Fails only for values of more than 2^38 bytes.
        let sealed = self.cipher().encrypt(&XNonce::from(nonce), payload).unwrap_or_default();
        [&[VERSION][..], &self.id(), &nonce, &sealed].concat()
    }

    /// Opens a value that was sealed for `place`.
    pub fn open(&self, place: &str, sealed: &[u8]) -> Result<Vec<u8>, Fault> {
        let (head, rest) = sealed.split_at_checked(1 + KEY_ID).ok_or(Fault::Closed)?;
        let (nonce, ciphertext) = rest.split_at_checked(NONCE).ok_or(Fault::Closed)?;
        let nonce: [u8; NONCE] = nonce.try_into().map_err(|_| Fault::Closed)?;
        if head[0] != VERSION || head[1..] != self.id() {
            return Err(Fault::Closed);
        }
        let payload = Payload { msg: ciphertext, aad: place.as_bytes() };
        self.cipher().decrypt(&XNonce::from(nonce), payload).map_err(|_| Fault::Closed)
    }
}

/// What follows from an organisation's data key.
#[derive(Clone)]
pub struct OrgKeys {
    /// Seals the organisation's secrets.
    pub data: Key,
    /// Masks its personal data.
    pub mask: MaskKeys,
}

/// The master key and the organisations' keys under it.
#[derive(Clone)]
pub struct Vault {
    db: Db,
    master: Key,
    orgs: Cache<Uuid, Arc<OrgKeys>>,
}

impl Vault {
    /// A vault under `master`.
    pub fn new(db: Db, master: Key) -> Self {
        Self { db, master, orgs: Cache::new(ORGS) }
    }

    /// The key that seals what belongs to the installation.
    pub const fn master(&self) -> &Key {
        &self.master
    }

    /// An organisation's keys, made when first asked for.
    pub async fn org(&self, org: Uuid) -> Result<Arc<OrgKeys>, Fault> {
        if let Some(keys) = self.orgs.get(&org).await {
            return Ok(keys);
        }
        let keys = Arc::new(self.load(org).await?);
        self.orgs.insert(org, Arc::clone(&keys)).await;
        Ok(keys)
    }

    async fn load(&self, org: Uuid) -> Result<OrgKeys, Fault> {
        let place = format!("organization {org} data key");
        let sealed = if let Some(sealed) = self.db.sealed_data_key(org).await.map_err(Arc::new)? {
            sealed
        } else {
            let fresh = self.master.seal(&place, &Key::random().0);
            let kept = self.db.keep_sealed_data_key(org, &fresh).await.map_err(Arc::new)?;
            kept.ok_or(Fault::NoOrganization)?
        };
        let key: [u8; 32] = self.master.open(&place, &sealed)?.try_into().map_err(|_| Fault::Closed)?;
        Ok(OrgKeys { data: Key(key), mask: MaskKeys::new(&key) })
    }
}

/// The master key: from the configuration itself, or from a file that is made with mode 0600 when missing.
pub fn master_key(configured: Option<&str>, path: &Path) -> Result<Key, Fault> {
    let fault = |why: String| Fault::MasterKey { path: path.display().to_string(), why };
    if let Some(written) = configured {
        return decode(written).ok_or_else(|| fault("master_key must be base64 of 32 bytes".to_owned()));
    }
    if !path.exists() {
        return create(path).map_err(|why| fault(why.to_string()));
    }
    let written = fs::read_to_string(path).map_err(|why| fault(why.to_string()))?;
    decode(written.trim()).ok_or_else(|| fault("must hold base64 of 32 bytes".to_owned()))
}

fn decode(written: &str) -> Option<Key> {
    BASE64_STANDARD.decode(written.trim()).ok()?.try_into().ok().map(Key)
}

fn create(path: &Path) -> std::io::Result<Key> {
    let key = Key::random();
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    writeln!(file, "{}", BASE64_STANDARD.encode(key.0))?;
    file.sync_all()?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_opens_only_in_its_place_and_unaltered() {
        let key = Key::random();
        let sealed = key.seal("here", b"secret");
        assert_eq!(key.open("here", &sealed).unwrap(), b"secret");
        assert!(key.open("there", &sealed).is_err());
        assert!(Key::random().open("here", &sealed).is_err());
        for at in 0..sealed.len() {
            let mut altered = sealed.clone();
            altered[at] ^= 1;
            assert!(key.open("here", &altered).is_err(), "byte {at}");
            assert!(key.open("here", &sealed[..at]).is_err(), "length {at}");
        }
    }

    #[test]
    fn a_missing_master_key_is_made_once_for_the_owner_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("master.key");
        let first = master_key(None, &path).unwrap();
        assert_eq!(master_key(None, &path).unwrap().0, first.0);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::write(&path, "too short").unwrap();
        assert!(master_key(None, &path).is_err());
    }
}
