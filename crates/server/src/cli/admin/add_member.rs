use anyhow::{Result, bail};
use clap::Args;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{AdminContext, ConfigFlags};

#[derive(Debug, Args)]
pub struct AddMember {
    /// Whom
    #[arg(long)]
    username: String,
    /// The organisation's id
    #[arg(long, value_name = "ORG_ID")]
    org: Uuid,
    /// owner, admin, developer, analyst, viewer or a role of the organisation
    #[arg(long)]
    role: String,
    #[command(flatten)]
    pub flags: ConfigFlags,
}

impl AddMember {
    pub async fn run(self, desk: &AdminContext) -> Result<Value> {
        let role = desk.role(self.org, &self.role).await?;
        let Some(user) = desk.db.user_named(&self.username).await? else { bail!("user not found") };
        let mut tx = desk.begin().await?;
        if !tx.add_member(self.org, user.id, &role, desk.now).await? {
            bail!("the user is a member of that organization already");
        }
        desk.commit(tx, self.org, "add-member", &user.username).await?;
        Ok(json!({ "user_id": user.id, "username": user.username, "org_id": self.org, "role": role }))
    }
}
