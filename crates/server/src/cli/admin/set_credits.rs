//! `admin set-credits`: sets the balance of an organization.

use anyhow::{Result, bail};
use clap::Args;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{AdminContext, ConfigFlags};

#[derive(Debug, Args)]
pub struct SetCredits {
    /// Id of the organization
    #[arg(long, value_name = "ORG_ID")]
    org: Uuid,
    /// New balance
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..))]
    balance: i64,
    #[command(flatten)]
    pub flags: ConfigFlags,
}

impl SetCredits {
    pub async fn run(self, context: &AdminContext) -> Result<Value> {
        let mut tx = context.begin().await?;
        if !tx.set_credits(self.org, self.balance, context.settings.guard.low_credits, context.now).await? {
            bail!("organization not found");
        }
        context.commit(tx, self.org, "set-credits", &self.balance.to_string()).await?;
        Ok(json!({ "org_id": self.org, "balance": self.balance }))
    }
}
