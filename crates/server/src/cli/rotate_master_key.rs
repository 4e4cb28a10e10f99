//! `rotate-master-key`.

use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::Args;
use guardengine_store::Act;
use serde_json::{Value, json};
use tokio::time::sleep;
use uuid::Uuid;

use super::{ConfigFlags, answer};
use guardengine_vault::{Error, RotationReport, Vault};

use crate::{
    app::{Opened, open_store},
    clock::Clock,
};

/// The longest that a running service may hold a key that it sealed just before it learned of the new master key.
const SETTLED: Duration = Duration::from_secs(2);

#[derive(Debug, Args)]
pub struct RotateMasterKey {
    #[command(flatten)]
    flags: ConfigFlags,
}

impl RotateMasterKey {
    pub fn run(self) -> Result<()> {
        answer(self.answer())
    }

    async fn answer(self) -> Result<Value> {
        let settings = self.flags.settings()?;
        let store = open_store(&settings).await?;
        let rotation = store.vault.master().rotate()?;
        eprintln!("guardengine: sealing anew under the new master key; the service goes on meanwhile");
        let done = rewrap_all(&store.vault).await?;
        rotation.end()?;
        let key_id = store.vault.master().id();
        audit(&store, &key_id).await?;
        store.db.close().await;
        Ok(json!({
            "master_key_id": key_id,
            "data_keys": done.data_keys,
            "signing_keys": done.signing_keys,
        }))
    }
}

/// Until nothing is left under the key before, not even what a running service was about to write.
async fn rewrap_all(vault: &Vault) -> Result<RotationReport, Error> {
    let mut total = vault.rewrap().await?;
    loop {
        sleep(SETTLED).await;
        let late = vault.rewrap().await?;
        if late == RotationReport::default() {
            return Ok(total);
        }
        total.data_keys += late.data_keys;
        total.signing_keys += late.signing_keys;
    }
}

async fn audit(store: &Opened, key_id: &str) -> Result<()> {
    let act = Act {
        org_id: Uuid::nil(),
        principal: "operator",
        address: "",
        action: "rotate-master-key",
        target: key_id,
        details: "{}",
    };
    store.db.append_audit(act, Clock::System.now()).await.context("cannot write the audit trail")?;
    Ok(())
}
