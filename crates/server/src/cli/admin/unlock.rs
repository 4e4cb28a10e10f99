use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{AdminContext, ConfigFlags};

#[derive(Debug, Args)]
pub struct Unlock {
    /// The username, known or not
    #[arg(long)]
    username: String,
    #[command(flatten)]
    pub flags: ConfigFlags,
}

impl Unlock {
    pub async fn run(self, desk: &AdminContext) -> Result<Value> {
        let mut tx = desk.begin().await?;
        let had_attempts = tx.forgive_login(&self.username).await?;
        desk.commit(tx, Uuid::nil(), "unlock", self.username.trim()).await?;
        Ok(json!({ "username": self.username.trim(), "unlocked": had_attempts }))
    }
}
