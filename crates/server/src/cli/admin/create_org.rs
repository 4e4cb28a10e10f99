//! `admin create-org`: creates an organization.

use anyhow::{Result, bail};
use clap::Args;
use guardengine_store::Created;
use serde_json::{Value, json};

use super::{AdminContext, ConfigFlags, name};

#[derive(Debug, Args)]
pub struct CreateOrg {
    /// Name: 1 to 100 characters, unique
    #[arg(long, value_parser = name)]
    name: String,
    /// Starting balance; credits.initial if omitted
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..))]
    credits: Option<i64>,
    #[command(flatten)]
    pub flags: ConfigFlags,
}

impl CreateOrg {
    pub async fn run(self, context: &AdminContext) -> Result<Value> {
        let credits = self.credits.unwrap_or(context.settings.initial_credits);
        let mut tx = context.begin().await?;
        let Created::Done(org) = tx.create_org(&self.name, credits, context.now).await? else {
            bail!("an organization with that name already exists");
        };
        context.commit(tx, org.id, "create-org", &org.name).await?;
        Ok(json!({ "org_id": org.id, "name": org.name, "credits": org.credits }))
    }
}
