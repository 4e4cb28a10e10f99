use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{AdminContext, ConfigFlags};
use crate::auth::signing_keys;

#[derive(Debug, Args)]
pub struct RotateSigningKey {
    #[command(flatten)]
    pub flags: ConfigFlags,
}

impl RotateSigningKey {
    pub async fn run(self, desk: &AdminContext) -> Result<Value> {
        let mut tx = desk.begin().await?;
        let key = tx.add_signing_key(&signing_keys::generate(&desk.vault), desk.now).await?;
        desk.commit(tx, Uuid::nil(), "rotate-signing-key", &key.id.to_string()).await?;
        Ok(json!({ "kid": key.id, "created_at": key.created_at }))
    }
}
