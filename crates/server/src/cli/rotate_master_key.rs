//! `rotate-master-key`: re-encrypts all keys under a new master key.

use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::Args;
use guardengine_store::{Clock, NewAuditEntry};
use guardengine_vault::{Error, RotationReport, Vault};
use serde_json::{Value, json};
use tokio::time::sleep;
use uuid::Uuid;

use super::{ConfigFlags, print_note, print_result};
use crate::app::{Opened, open_store};

/// Longest delay until a running service stores a key that it encrypted before it learned of the new master key.
const MAX_WRITE_DELAY: Duration = Duration::from_secs(2);

#[derive(Debug, Args)]
pub struct RotateMasterKey {
    #[command(flatten)]
    flags: ConfigFlags,
}

impl RotateMasterKey {
    pub fn run(self) -> Result<()> {
        print_result(self.execute())
    }

    async fn execute(self) -> Result<Value> {
        let settings = self.flags.settings()?;
        let store = open_store(&settings).await?;
        let rotation = store.vault.master().rotate()?;
        print_note("re-encrypting keys under the new master key; a running service is not interrupted");
        let report = rewrap_all(&store.vault).await?;
        rotation.end()?;
        let key_id = store.vault.master().id();
        audit(&store, &key_id).await?;
        store.db.close().await;
        Ok(json!({
            "master_key_id": key_id,
            "data_keys": report.data_keys,
            "signing_keys": report.signing_keys,
            "audit_keys": report.audit_keys,
        }))
    }
}

/// Re-encrypts until no key is left under the previous master key, including keys that a running service stores late.
async fn rewrap_all(vault: &Vault) -> Result<RotationReport, Error> {
    let mut total = vault.rewrap().await?;
    loop {
        sleep(MAX_WRITE_DELAY).await;
        let late = vault.rewrap().await?;
        if late == RotationReport::default() {
            return Ok(total);
        }
        total.data_keys += late.data_keys;
        total.signing_keys += late.signing_keys;
        total.audit_keys += late.audit_keys;
    }
}

async fn audit(store: &Opened, key_id: &str) -> Result<()> {
    let entry = NewAuditEntry {
        org_id: Uuid::nil(),
        principal: "operator",
        address: "",
        action: "rotate-master-key",
        target: key_id,
        details: "{}",
    };
    store.db.append_audit(entry, Clock::System.now()).await.context("cannot write the audit trail")?;
    Ok(())
}
