//! Secrets at rest: sealed under a data key per organisation, which is itself sealed under the master key.

mod key;
mod master;
mod rewrap;

use std::sync::Arc;

use guardengine_engine::pii::mask::MaskKeys;
use guardengine_store::Db;
use moka::future::Cache;
use uuid::Uuid;

pub use key::Key;
pub use master::{Master, Rotation};
pub use rewrap::Rewrapped;

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
    master: Master,
    orgs: Cache<Uuid, Arc<OrgKeys>>,
}

impl Vault {
    /// A vault under `master`.
    pub fn new(db: Db, master: Master) -> Self {
        Self { db, master, orgs: Cache::new(ORGS) }
    }

    /// The key that seals what belongs to the installation.
    pub const fn master(&self) -> &Master {
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

    /// An organisation's keys, if they were asked for before.
    pub async fn known(&self, org: Uuid) -> Option<Arc<OrgKeys>> {
        self.orgs.get(&org).await
    }

    async fn load(&self, org: Uuid) -> Result<OrgKeys, Fault> {
        let place = place(org);
        let sealed = if let Some(sealed) = self.db.sealed_data_key(org).await.map_err(Arc::new)? {
            sealed
        } else {
            let fresh = self.master.seal(&place, Key::random().bytes());
            let kept = self.db.keep_sealed_data_key(org, &fresh).await.map_err(Arc::new)?;
            kept.ok_or(Fault::NoOrganization)?
        };
        let data = Key::of(&self.master.open(&place, &sealed)?).ok_or(Fault::Closed)?;
        Ok(OrgKeys { mask: MaskKeys::new(data.bytes()), data })
    }
}

/// What an organisation's data key belongs to.
fn place(org: Uuid) -> String {
    format!("organization {org} data key")
}
