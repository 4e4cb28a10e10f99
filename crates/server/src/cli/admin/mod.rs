//! `admin`: what operators do on the database itself, also while the server runs.

mod add_member;
mod create_org;
mod create_user;
mod rotate_signing_key;
mod set_credits;
mod set_limits;
mod unlock;

use anyhow::{Context as _, Result, bail};
use clap::Subcommand;
use guardengine_store::{Act, Db, Timestamp};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{ConfigFlags, answer};
use guardengine_vault::Vault;

use crate::{
    app::{Opened, open_store},
    clock::Clock,
    config::Settings,
    data_dir::DataDir,
    http::Permissions,
};

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make an organisation
    CreateOrg(create_org::CreateOrg),
    /// Make a user as a member of an organisation; the password comes on standard input
    CreateUser(create_user::CreateUser),
    /// Make an existing user a member of another organisation
    AddMember(add_member::AddMember),
    /// Set an organisation's balance
    SetCredits(set_credits::SetCredits),
    /// Set an organisation's own rate limits, or show them
    SetLimits(set_limits::SetLimits),
    /// Make a new key for access tokens; no session ends
    RotateSigningKey(rotate_signing_key::RotateSigningKey),
    /// Lift the lock that failed sign-ins put on a username
    Unlock(unlock::Unlock),
}

/// What an operator's command works on.
pub struct AdminContext {
    db: Db,
    vault: Vault,
    settings: Settings,
    now: Timestamp,
    _folder: DataDir,
}

impl AdminContext {
    async fn open(flags: &ConfigFlags) -> Result<Self> {
        let settings = flags.settings()?;
        let Opened { db, vault, folder } = open_store(&settings).await?;
        Ok(Self { db, vault, settings, now: Clock::System.now(), _folder: folder })
    }

    async fn audit(&self, org_id: Uuid, action: &str, target: &str) -> Result<()> {
        self.audit_change(org_id, action, target, &json!({})).await
    }

    async fn audit_change(&self, org_id: Uuid, action: &str, target: &str, details: &Value) -> Result<()> {
        let details = &details.to_string();
        let act = Act { org_id, principal: "operator", address: "", action, target, details };
        self.db.append_audit(act, self.now).await.context("cannot write the audit trail")?;
        Ok(())
    }

    /// The role as the organisation writes it; refuses an organisation that is not there, and a role that it does not
    /// have.
    async fn role(&self, org_id: Uuid, name: &str) -> Result<String> {
        if self.db.org(org_id).await?.is_none() {
            bail!("organization not found");
        }
        if Permissions::of_built_in(name).is_some() {
            return Ok(name.to_owned());
        }
        match self.db.role_named(org_id, name).await? {
            Some(role) => Ok(role.name),
            None => bail!("role not found: {name}; built in are owner, admin, developer, analyst, viewer"),
        }
    }
}

impl Command {
    pub fn run(self) -> Result<()> {
        answer(self.answer())
    }

    async fn answer(self) -> Result<Value> {
        let desk = AdminContext::open(self.flags()).await?;
        let answer = match self {
            Self::CreateOrg(command) => command.run(&desk).await,
            Self::CreateUser(command) => command.run(&desk).await,
            Self::AddMember(command) => command.run(&desk).await,
            Self::SetCredits(command) => command.run(&desk).await,
            Self::SetLimits(command) => command.run(&desk).await,
            Self::RotateSigningKey(command) => command.run(&desk).await,
            Self::Unlock(command) => command.run(&desk).await,
        };
        desk.db.close().await;
        answer
    }

    const fn flags(&self) -> &ConfigFlags {
        match self {
            Self::CreateOrg(command) => &command.flags,
            Self::CreateUser(command) => &command.flags,
            Self::AddMember(command) => &command.flags,
            Self::SetCredits(command) => &command.flags,
            Self::SetLimits(command) => &command.flags,
            Self::RotateSigningKey(command) => &command.flags,
            Self::Unlock(command) => &command.flags,
        }
    }
}

/// A name: trimmed, 1 to 100 characters.
fn name(written: &str) -> Result<String, &'static str> {
    let name = written.trim();
    let fits = (1..=100).contains(&name.chars().count());
    if fits { Ok(name.to_owned()) } else { Err("must have 1 to 100 characters") }
}
