//! `admin unlock`: unlocks a username after failed sign-ins.

use anyhow::Result;
use clap::Args;
use guardengine_auth::attempts_name;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{AdminContext, ConfigFlags};

#[derive(Debug, Args)]
pub struct Unlock {
    /// Username; need not exist
    #[arg(long)]
    username: String,
    #[command(flatten)]
    pub flags: ConfigFlags,
}

impl Unlock {
    pub async fn run(self, context: &AdminContext) -> Result<Value> {
        let name = attempts_name(context.vault.master(), &self.username);
        let mut tx = context.begin().await?;
        let had_attempts = tx.reset_login_attempts(&name).await?;
        context.commit(tx, Uuid::nil(), "unlock", self.username.trim()).await?;
        Ok(json!({ "username": self.username.trim(), "unlocked": had_attempts }))
    }
}
