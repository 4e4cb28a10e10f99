//! `admin create-user`: creates a user.

use std::io::Read as _;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use guardengine_auth::passwords::{Passwords, broken_rule};
use guardengine_store::{Created, NewUser};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{AdminContext, ConfigFlags, name};

/// Maximum number of bytes read as a password.
const MAX_INPUT_BYTES: u64 = 4096;

#[derive(Debug, Args)]
pub struct CreateUser {
    /// Username: 1 to 100 characters, unique across all organizations
    #[arg(long, value_parser = name)]
    username: String,
    /// Id of the organization
    #[arg(long, value_name = "ORG_ID")]
    org: Uuid,
    /// Role: owner, admin, developer, analyst, viewer or a custom role of the organization
    #[arg(long)]
    role: String,
    /// Read the password from standard input; a trailing line break is ignored
    #[arg(long, required = true)]
    password_stdin: bool,
    #[command(flatten)]
    pub flags: ConfigFlags,
}

impl CreateUser {
    pub async fn run(self, context: &AdminContext) -> Result<Value> {
        let role = context.role(self.org, &self.role).await?;
        let password = read_password()?;
        if let Some(rule) = broken_rule(&password) {
            bail!("the password {rule}");
        }
        let hash = Passwords::default().hash(&password).await.context("cannot hash the password")?;
        let new = NewUser { username: &self.username, password_hash: &hash, org_id: self.org, role: &role };
        let mut tx = context.begin().await?;
        let Created::Done(user) = tx.create_user(new, context.now).await? else {
            bail!("a user with that name already exists");
        };
        context.commit(tx, self.org, "create-user", &user.username).await?;
        Ok(json!({ "user_id": user.id, "username": user.username, "org_id": self.org, "role": role }))
    }
}

fn read_password() -> Result<String> {
    let mut password = String::new();
    std::io::stdin()
        .take(MAX_INPUT_BYTES)
        .read_to_string(&mut password)
        .context("cannot read the password")?;
    let line = password.strip_suffix('\n').unwrap_or(&password);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}
