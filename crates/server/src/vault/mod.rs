//! Secrets at rest: sealed under a data key per organisation, which is itself sealed under the master key.

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

const ORGS: u64 = 10_000;

/// Why a value cannot be sealed or opened.
#[derive(Debug, thiserror::Error)]
pub enum Error {
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
    CannotDecrypt,
    /// The organisation is not there.
    #[error("no such organisation")]
    NoOrganization,
    /// The store.
    #[error(transparent)]
    Store(#[from] Arc<guardengine_store::Error>),
}

/// What follows from an organisation's data key.
#[derive(Clone)]
pub struct OrgKeys {
    /// Seals the organisation's secrets.
    pub data: DataKey,
    /// Masks its personal data.
    pub mask: MaskKeys,
}

/// The master key and the organisations' keys under it.
#[derive(Clone)]
pub struct Vault {
    db: Db,
    master: MasterKey,
    orgs: Cache<Uuid, Arc<OrgKeys>>,
}

impl Vault {
    /// A vault under `master`.
    pub fn new(db: Db, master: MasterKey) -> Self {
        Self { db, master, orgs: Cache::new(ORGS) }
    }

    /// The key that seals what belongs to the installation.
    pub const fn master(&self) -> &MasterKey {
        &self.master
    }

    /// An organisation's keys, made when first asked for.
    pub async fn org(&self, org: Uuid) -> Result<Arc<OrgKeys>, Error> {
        if let Some(keys) = self.orgs.get(&org).await {
            return Ok(keys);
        }
        let keys = Arc::new(self.load(org).await?);
        self.orgs.insert(org, Arc::clone(&keys)).await;
        Ok(keys)
    }

    /// An organisation's keys, if they were asked for before.
    pub async fn known(&self, org: Uuid) -> Option<Arc<OrgKeys>> {
        self.orgs.get(&org).await
    }

    async fn load(&self, org: Uuid) -> Result<OrgKeys, Error> {
        let place = place(org);
        let sealed = if let Some(sealed) = self.db.sealed_data_key(org).await.map_err(Arc::new)? {
            sealed
        } else {
            let fresh = self.master.seal(&place, DataKey::random().bytes());
            let kept = self.db.keep_sealed_data_key(org, &fresh).await.map_err(Arc::new)?;
            kept.ok_or(Error::NoOrganization)?
        };
        let data = DataKey::of(&self.master.open(&place, &sealed)?).ok_or(Error::CannotDecrypt)?;
        Ok(OrgKeys { mask: MaskKeys::new(data.bytes()), data })
    }
}

/// What an organisation's data key belongs to.
fn place(org: Uuid) -> String {
    format!("organization {org} data key")
}
