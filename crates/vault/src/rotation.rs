//! What is under the master key, sealed anew under the newest one.

use std::sync::Arc;

use super::{Error, SIGNING_KEY_AAD, Vault, data_key_aad};

/// How much was sealed anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RotationReport {
    /// Data keys of organisations.
    pub data_keys: usize,
    /// Keys that sign access tokens.
    pub signing_keys: usize,
}

impl Vault {
    /// Seals anew what is not under the newest master key. Something may have been added meanwhile under the one
    /// before: whoever rotates asks again until nothing is left.
    pub async fn rewrap(&self) -> Result<RotationReport, Error> {
        let mut done = RotationReport::default();
        for (org, sealed) in self.db.sealed_data_keys().await.map_err(store)? {
            if let Some(anew) = self.anew(&data_key_aad(org), &sealed)? {
                let replaced = self.db.replace_sealed_data_key(org, &sealed, &anew).await.map_err(store)?;
                done.data_keys += usize::from(replaced);
            }
        }
        for key in self.db.signing_keys().await.map_err(store)? {
            if let Some(anew) = self.anew(SIGNING_KEY_AAD, &key.sealed)? {
                let replaced =
                    self.db.replace_signing_key(key.id, &key.sealed, &anew).await.map_err(store)?;
                done.signing_keys += usize::from(replaced);
            }
        }
        Ok(done)
    }

    fn anew(&self, place: &str, sealed: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        if self.master.is_newest(sealed) {
            return Ok(None);
        }
        let value = self.master.open(place, sealed)?;
        Ok(Some(self.master.seal(place, &value)))
    }
}

fn store(fault: guardengine_store::Error) -> Error {
    Arc::new(fault).into()
}
