use std::io::Read as _;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use guardengine_store::{Created, NewUser};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{AdminContext, ConfigFlags, name};
use crate::auth::password::{Passwords, broken_rule};

/// Longer input is no password.
const LONGEST: u64 = 4096;

#[derive(Debug, Args)]
pub struct CreateUser {
    /// Their name: 1 to 100 characters, unique over all organisations
    #[arg(long, value_parser = name)]
    username: String,
    /// The organisation's id
    #[arg(long, value_name = "ORG_ID")]
    org: Uuid,
    /// owner, admin, developer, analyst, viewer or a role of the organisation
    #[arg(long)]
    role: String,
    /// Read the password from standard input; a line break at its end does not count
    #[arg(long, required = true)]
    password_stdin: bool,
    #[command(flatten)]
    pub flags: ConfigFlags,
}

impl CreateUser {
    pub async fn run(self, desk: &AdminContext) -> Result<Value> {
        let role = desk.role(self.org, &self.role).await?;
        let password = read_password()?;
        if let Some(rule) = broken_rule(&password) {
            bail!("the password {rule}");
        }
        let hash = Passwords::default().hash(&password).await.context("the password could not be hashed")?;
        let new = NewUser { username: &self.username, password_hash: &hash, org_id: self.org, role: &role };
        let mut tx = desk.begin().await?;
        let Created::Done(user) = tx.create_user(new, desk.now).await? else {
            bail!("a user with that name already exists");
        };
        desk.commit(tx, self.org, "create-user", &user.username).await?;
        Ok(json!({ "user_id": user.id, "username": user.username, "org_id": self.org, "role": role }))
    }
}

fn read_password() -> Result<String> {
    let mut password = String::new();
    std::io::stdin().take(LONGEST).read_to_string(&mut password).context("cannot read the password")?;
    let line = password.strip_suffix('\n').unwrap_or(&password);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}
