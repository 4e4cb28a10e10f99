use anyhow::{Result, bail};
use clap::Args;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{AdminContext, ConfigFlags};

#[derive(Debug, Args)]
pub struct SetCredits {
    /// The organisation's id
    #[arg(long, value_name = "ORG_ID")]
    org: Uuid,
    /// The balance from now on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..))]
    balance: i64,
    #[command(flatten)]
    pub flags: ConfigFlags,
}

impl SetCredits {
    pub async fn run(self, desk: &AdminContext) -> Result<Value> {
        let mut tx = desk.begin().await?;
        if !tx.set_credits(self.org, self.balance, desk.settings.low_credits, desk.now).await? {
            bail!("organization not found");
        }
        desk.commit(tx, self.org, "set-credits", &self.balance.to_string()).await?;
        Ok(json!({ "org_id": self.org, "balance": self.balance }))
    }
}
