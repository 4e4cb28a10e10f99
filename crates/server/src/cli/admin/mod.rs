//! `admin`: operator commands that work on the database directly. They can run while the service runs.

mod add_member;
mod create_org;
mod create_user;
mod rotate_signing_key;
mod set_credits;
mod set_limits;
mod unlock;

use anyhow::{Context as _, Result, bail};
use clap::Subcommand;
use guardengine_store::{Actor, AuditedTx, Db, NameError, Timestamp, prepare_name};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{ConfigFlags, print_result};
use guardengine_vault::Vault;

use crate::{
    app::{Opened, open_store},
    config::Settings,
    data_dir::DataDir,
};
use guardengine_auth::Permissions;
use guardengine_store::Clock;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Create an organization
    CreateOrg(create_org::CreateOrg),
    /// Create a user as a member of an organization; reads the password from standard input
    CreateUser(create_user::CreateUser),
    /// Add an existing user to another organization
    AddMember(add_member::AddMember),
    /// Set an organization's balance
    SetCredits(set_credits::SetCredits),
    /// Set or show the rate limits of an organization
    SetLimits(set_limits::SetLimits),
    /// Create a new signing key for access tokens; sessions stay valid
    RotateSigningKey(rotate_signing_key::RotateSigningKey),
    /// Unlock a username after failed sign-ins
    Unlock(unlock::Unlock),
}

/// Open database, vault and settings that a command works on.
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

    async fn begin(&self) -> Result<AuditedTx> {
        Ok(self.db.audited(self.now).await?)
    }

    async fn commit(&self, tx: AuditedTx, org_id: Uuid, action: &str, target: &str) -> Result<()> {
        self.commit_change(tx, org_id, action, target, &json!({})).await
    }

    /// Commits changes with their audit entry.
    async fn commit_change(
        &self,
        tx: AuditedTx,
        org_id: Uuid,
        action: &str,
        target: &str,
        details: &Value,
    ) -> Result<()> {
        let actor = Actor { org_id, principal: "operator".to_owned(), address: String::new() };
        let committed = tx.commit(&actor, action, target, &details.to_string()).await;
        committed.context("cannot write the audit trail")?;
        Ok(())
    }

    /// Returns the name of the role in the organization's spelling. Fails if the organization or the role does not
    /// exist.
    async fn role(&self, org_id: Uuid, name: &str) -> Result<String> {
        if self.db.org(org_id).await?.is_none() {
            bail!("organization not found");
        }
        if Permissions::of_built_in(name).is_some() {
            return Ok(name.to_owned());
        }
        match self.db.role_by_name(org_id, name).await? {
            Some(role) => Ok(role.name),
            None => bail!(
                "role not found: {name}; built-in roles are owner, admin, developer, analyst and viewer"
            ),
        }
    }
}

impl Command {
    pub fn run(self) -> Result<()> {
        print_result(self.execute())
    }

    async fn execute(self) -> Result<Value> {
        let context = AdminContext::open(self.flags()).await?;
        let result = match self {
            Self::CreateOrg(command) => command.run(&context).await,
            Self::CreateUser(command) => command.run(&context).await,
            Self::AddMember(command) => command.run(&context).await,
            Self::SetCredits(command) => command.run(&context).await,
            Self::SetLimits(command) => command.run(&context).await,
            Self::RotateSigningKey(command) => command.run(&context).await,
            Self::Unlock(command) => command.run(&context).await,
        };
        context.db.close().await;
        result
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

/// Parses the name of something new.
fn name(text: &str) -> Result<String, NameError> {
    prepare_name(text)
}
