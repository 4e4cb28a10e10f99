//! `admin add-member`: adds an existing user to an organization.

use anyhow::{Result, bail};
use clap::Args;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{AdminContext, ConfigFlags};

#[derive(Debug, Args)]
pub struct AddMember {
    /// Username of the user to add
    #[arg(long)]
    username: String,
    /// Id of the organization
    #[arg(long, value_name = "ORG_ID")]
    org: Uuid,
    /// Role: owner, admin, developer, analyst, viewer or a custom role of the organization
    #[arg(long)]
    role: String,
    #[command(flatten)]
    pub flags: ConfigFlags,
}

impl AddMember {
    pub async fn run(self, context: &AdminContext) -> Result<Value> {
        let role = context.role(self.org, &self.role).await?;
        let Some(user) = context.db.user_by_name(&self.username).await? else { bail!("user not found") };
        let mut tx = context.begin().await?;
        if !tx.add_member(self.org, user.id, &role, context.now).await? {
            bail!("the user is a member of that organization already");
        }
        context.commit(tx, self.org, "add-member", &user.username).await?;
        Ok(json!({ "user_id": user.id, "username": user.username, "org_id": self.org, "role": role }))
    }
}
