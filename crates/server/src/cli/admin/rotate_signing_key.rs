//! `admin rotate-signing-key`: creates a new signing key for access tokens.

use anyhow::Result;
use clap::Args;
use guardengine_auth::signing_keys;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{AdminContext, ConfigFlags};

#[derive(Debug, Args)]
pub struct RotateSigningKey {
    #[command(flatten)]
    pub flags: ConfigFlags,
}

impl RotateSigningKey {
    pub async fn run(self, context: &AdminContext) -> Result<Value> {
        let mut tx = context.begin().await?;
        let key = tx.add_signing_key(&signing_keys::generate(&context.vault), context.now).await?;
        context.commit(tx, Uuid::nil(), "rotate-signing-key", &key.id.to_string()).await?;
        Ok(json!({ "kid": key.id, "created_at": key.created_at }))
    }
}
