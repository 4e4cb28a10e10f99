//! The key of the audit trails: stored sealed under the master key, so that whoever can only write the database cannot
//! write a trail.

use std::sync::Arc;

use guardengine_store::{AuditKey, Timestamp};

use super::{DataKey, Error, Vault};

/// Associated data of the sealed key of the audit trails.
pub const AUDIT_KEY_AAD: &str = "installation audit key";

impl Vault {
    /// Gives the database the key of its audit trails. Creates the key at the first start, which also seals the trails
    /// of earlier versions.
    pub async fn load_or_create_audit_key(&self, now: Timestamp) -> Result<(), Error> {
        if self.load_audit_key().await? {
            return Ok(());
        }
        let fresh = DataKey::random();
        let sealed = self.master.seal(AUDIT_KEY_AAD, fresh.bytes());
        let key = AuditKey::new(*fresh.bytes());
        let stored = self.db.create_audit_key(&sealed, &key, now).await.map_err(Arc::new)?;
        if stored == sealed {
            tracing::info!("created the key of the audit trails and sealed them");
        }
        self.set_audit_key(&stored)
    }

    /// Gives the database the key of its audit trails. Returns false if there is none yet.
    pub async fn load_audit_key(&self) -> Result<bool, Error> {
        let Some(sealed) = self.db.sealed_audit_key().await.map_err(Arc::new)? else { return Ok(false) };
        self.set_audit_key(&sealed)?;
        Ok(true)
    }

    fn set_audit_key(&self, sealed: &[u8]) -> Result<(), Error> {
        let opened = DataKey::of(&self.master.open(AUDIT_KEY_AAD, sealed)?).ok_or(Error::CannotDecrypt)?;
        self.db.set_audit_key(AuditKey::new(*opened.bytes()));
        Ok(())
    }
}
