use anyhow::{Result, bail};
use clap::Args;
use guardengine_store::Created;
use serde_json::{Value, json};

use super::{AdminContext, ConfigFlags, name};

#[derive(Debug, Args)]
pub struct CreateOrg {
    /// Its name: 1 to 100 characters, unique
    #[arg(long, value_parser = name)]
    name: String,
    /// Its balance; without it, credits.initial
    #[arg(long, value_parser = clap::value_parser!(i64).range(0..))]
    credits: Option<i64>,
    #[command(flatten)]
    pub flags: ConfigFlags,
}

impl CreateOrg {
    pub async fn run(self, desk: &AdminContext) -> Result<Value> {
        let credits = self.credits.unwrap_or(desk.settings.initial_credits);
        let mut tx = desk.begin().await?;
        let Created::Done(org) = tx.create_org(&self.name, credits, desk.now).await? else {
            bail!("an organization with that name already exists");
        };
        desk.commit(tx, org.id, "create-org", &org.name).await?;
        Ok(json!({ "org_id": org.id, "name": org.name, "credits": org.credits }))
    }
}
