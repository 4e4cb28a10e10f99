//! Encryption of secrets at rest: each organisation has a data key, which is encrypted with the master key.

mod data_key;
mod master_key;
mod rotation;

use std::sync::Arc;

use guardengine_engine::pii::mask::MaskKeys;
use guardengine_store::Db;
use moka::future::Cache;
use uuid::Uuid;

pub use data_key::DataKey;
pub use master_key::{MasterKey, Rotation};
pub use rotation::RotationReport;

/// Most cached organisations.
const MAX_CACHED_ORGS: u64 = 10_000;

/// Error of encryption and decryption.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The master key is unusable.
    #[error("master key {path}: {why}")]
    MasterKey {
        /// Path of the key file, or the configuration key.
        path: String,
        /// What is wrong.
        why: String,
    },
    /// The value was encrypted with another key or associated data, or was altered.
    #[error("cannot decrypt a stored value: wrong master key, or altered data")]
    CannotDecrypt,
    /// The organisation does not exist.
    #[error("no such organisation")]
    NoOrganization,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Arc<guardengine_store::Error>),
}

/// Keys derived from an organisation's data key.
#[derive(Clone)]
pub struct OrgKeys {
    /// Encrypts the organisation's secrets.
    pub data: DataKey,
    /// Masks personal data.
    pub mask: MaskKeys,
}

/// The master key, and the organisations' keys encrypted with it.
#[derive(Clone)]
pub struct Vault {
    db: Db,
    master: MasterKey,
    orgs: Cache<Uuid, Arc<OrgKeys>>,
}

impl Vault {
    /// Creates a vault with a master key.
    pub fn new(db: Db, master: MasterKey) -> Self {
        Self { db, master, orgs: Cache::new(MAX_CACHED_ORGS) }
    }

    /// Returns the master key, which encrypts the keys of the installation.
    pub const fn master(&self) -> &MasterKey {
        &self.master
    }

    /// Returns the keys of an organisation. Creates them on first use.
    pub async fn org(&self, org: Uuid) -> Result<Arc<OrgKeys>, Error> {
        if let Some(keys) = self.orgs.get(&org).await {
            return Ok(keys);
        }
        let keys = Arc::new(self.load(org).await?);
        self.orgs.insert(org, Arc::clone(&keys)).await;
        Ok(keys)
    }

    /// Returns the keys of an organisation if they are cached.
    pub async fn known(&self, org: Uuid) -> Option<Arc<OrgKeys>> {
        self.orgs.get(&org).await
    }

    async fn load(&self, org: Uuid) -> Result<OrgKeys, Error> {
        let aad = data_key_aad(org);
        let sealed = if let Some(sealed) = self.db.sealed_data_key(org).await.map_err(Arc::new)? {
            sealed
        } else {
            let fresh = self.master.seal(&aad, DataKey::random().bytes());
            let stored = self.db.keep_sealed_data_key(org, &fresh).await.map_err(Arc::new)?;
            stored.ok_or(Error::NoOrganization)?
        };
        let data = DataKey::of(&self.master.open(&aad, &sealed)?).ok_or(Error::CannotDecrypt)?;
        Ok(OrgKeys { mask: MaskKeys::new(data.bytes()), data })
    }
}

/// Returns the associated data of an organisation's data key.
fn data_key_aad(org: Uuid) -> String {
    format!("organization {org} data key")
}
