//! Secrets at rest: each organization has a data key that seals its secrets, and the master key seals the data keys.
//!
//! This crate owns the master key, the data keys, sealing and opening, and the rotation of the master key. It depends
//! on the store, which holds sealed keys, and on nothing else of ours. It does not know the purpose of the secrets:
//! callers name the record and field of a value as associated data, so that a value moved to another row cannot be
//! opened.

mod audit_key;
mod data_key;
mod master_key;
mod rotation;

use std::sync::Arc;

use guardengine_store::{Db, StoreError};
use moka::future::Cache;
use uuid::Uuid;

pub use audit_key::AUDIT_KEY_AAD;
pub use data_key::{DataKey, SEAL_BYTES};
pub use master_key::{MasterKey, Rotation};
pub use rotation::RotationReport;

/// Data keys kept in memory.
const MAX_CACHED_KEYS: u64 = 10_000;

/// Associated data of the installation's sealed signing keys.
pub const SIGNING_KEY_AAD: &str = "installation signing key";

/// Reason why a value cannot be sealed or opened.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The master key cannot be read or written.
    #[error("master key {path}: {why}")]
    MasterKey {
        /// The file, or the configuration key.
        path: String,
        /// Description of the problem.
        why: String,
    },
    /// The file of the master key is missing, and there is data sealed under the key.
    #[error(
        "master key {0} is missing, and the database is sealed under it: restore the file from its backup, or set \
         master_key_file; no new key was created, because it would open nothing"
    )]
    MissingMasterKey(String),
    /// The value was sealed under another key or for another record, or was altered.
    #[error("cannot decrypt a sealed value: the master key differs, or the data was altered")]
    CannotDecrypt,
    /// The organization does not exist.
    #[error("no such organization")]
    NoOrganization,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] Arc<guardengine_store::Error>),
}

impl From<guardengine_store::Error> for Error {
    fn from(error: guardengine_store::Error) -> Self {
        Self::Store(Arc::new(error))
    }
}

impl StoreError for Error {
    fn is_store_unavailable(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_unavailable())
    }
}

/// The master key and a cache of the organizations' data keys; cheap to clone.
#[derive(Clone)]
pub struct Vault {
    db: Db,
    master: MasterKey,
    data_keys: Cache<Uuid, Arc<DataKey>>,
}

impl Vault {
    /// Creates a vault under `master`.
    pub fn new(db: Db, master: MasterKey) -> Self {
        Self { db, master, data_keys: Cache::new(MAX_CACHED_KEYS) }
    }

    /// Returns the master key, which also seals the installation's own keys.
    pub const fn master(&self) -> &MasterKey {
        &self.master
    }

    /// Returns an organization's data key and creates it on first use.
    pub async fn data_key(&self, org: Uuid) -> Result<Arc<DataKey>, Error> {
        if let Some(key) = self.cached_data_key(org).await {
            return Ok(key);
        }
        let key = Arc::new(self.load(org).await?);
        self.data_keys.insert(org, Arc::clone(&key)).await;
        Ok(key)
    }

    /// Returns an organization's data key if it is cached; does not read the store.
    pub async fn cached_data_key(&self, org: Uuid) -> Option<Arc<DataKey>> {
        self.data_keys.get(&org).await
    }

    async fn load(&self, org: Uuid) -> Result<DataKey, Error> {
        let aad = data_key_aad(org);
        let sealed = if let Some(sealed) = self.db.sealed_data_key(org).await.map_err(Arc::new)? {
            sealed
        } else {
            let fresh = self.master.seal(&aad, DataKey::random().bytes());
            let stored = self.db.get_or_insert_sealed_data_key(org, &fresh).await.map_err(Arc::new)?;
            stored.ok_or(Error::NoOrganization)?
        };
        DataKey::of(&self.master.open(&aad, &sealed)?).ok_or(Error::CannotDecrypt)
    }
}

/// Associated data of an organization's sealed data key.
fn data_key_aad(org: Uuid) -> String {
    format!("organization {org} data key")
}
