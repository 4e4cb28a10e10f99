//! Re-encrypts stored keys with the newest master key.

use std::sync::Arc;

use super::{AUDIT_KEY_AAD, Error, SIGNING_KEY_AAD, Vault, data_key_aad};

/// Numbers of re-encrypted keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RotationReport {
    /// Data keys of organizations.
    pub data_keys: usize,
    /// Signing keys of access tokens.
    pub signing_keys: usize,
    /// Keys of the audit trails: one, or none.
    pub audit_keys: usize,
}

impl Vault {
    /// Re-encrypts everything that is not encrypted with the newest master key. Other processes may still add values
    /// under the previous key, so a rotation must call this until nothing is left.
    pub async fn rewrap(&self) -> Result<RotationReport, Error> {
        let mut report = RotationReport::default();
        for (org, sealed) in self.db.sealed_data_keys().await.map_err(store)? {
            if let Some(resealed) = self.reencrypted(&data_key_aad(org), &sealed)? {
                let replaced =
                    self.db.replace_sealed_data_key(org, &sealed, &resealed).await.map_err(store)?;
                report.data_keys += usize::from(replaced);
            }
        }
        for key in self.db.signing_keys().await.map_err(store)? {
            if let Some(resealed) = self.reencrypted(SIGNING_KEY_AAD, &key.sealed)? {
                let replaced =
                    self.db.replace_signing_key(key.id, &key.sealed, &resealed).await.map_err(store)?;
                report.signing_keys += usize::from(replaced);
            }
        }
        if let Some(sealed) = self.db.sealed_audit_key().await.map_err(store)?
            && let Some(resealed) = self.reencrypted(AUDIT_KEY_AAD, &sealed)?
        {
            let replaced = self.db.replace_sealed_audit_key(&sealed, &resealed).await.map_err(store)?;
            report.audit_keys += usize::from(replaced);
        }
        Ok(report)
    }

    /// Opens every stored key without changing it. Returns their number.
    pub async fn check(&self) -> Result<usize, Error> {
        let mut count = 0;
        for (org, sealed) in self.db.sealed_data_keys().await.map_err(store)? {
            self.master.open(&data_key_aad(org), &sealed)?;
            count += 1;
        }
        for key in self.db.signing_keys().await.map_err(store)? {
            self.master.open(SIGNING_KEY_AAD, &key.sealed)?;
            count += 1;
        }
        if let Some(sealed) = self.db.sealed_audit_key().await.map_err(store)? {
            self.master.open(AUDIT_KEY_AAD, &sealed)?;
            count += 1;
        }
        Ok(count)
    }

    fn reencrypted(&self, aad: &str, sealed: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        if self.master.is_newest(sealed) {
            return Ok(None);
        }
        let value = self.master.open(aad, sealed)?;
        Ok(Some(self.master.seal(aad, &value)))
    }
}

fn store(error: guardengine_store::Error) -> Error {
    Arc::new(error).into()
}
