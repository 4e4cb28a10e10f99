//! `admin`: what operators do on the database itself, also while the server runs.

mod add_member;
mod create_org;
mod create_user;
mod set_credits;
mod unlock;

use anyhow::{Context as _, Result, bail};
use clap::Subcommand;
use guardengine_store::{Act, Timestamp};
use serde_json::Value;
use uuid::Uuid;

use super::{ConfigFlags, runtime};
use crate::{
    app::{Opened, open_store},
    clock::Clock,
    config::Settings,
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
    /// Lift the lock that failed sign-ins put on a username
    Unlock(unlock::Unlock),
}

/// What an operator's command works on.
pub struct Desk {
    store: Opened,
    settings: Settings,
    now: Timestamp,
}

impl Desk {
    async fn open(flags: &ConfigFlags) -> Result<Self> {
        let settings = flags.settings()?;
        let store = open_store(&settings).await?;
        Ok(Self { store, settings, now: Clock::System.now() })
    }

    async fn audit(&self, org_id: Uuid, action: &str, target: &str) -> Result<()> {
        let act = Act { org_id, principal: "operator", address: "", action, target, details: "{}" };
        self.store.db.append_audit(act, self.now).await.context("cannot write the audit trail")?;
        Ok(())
    }

    /// Refuses an organisation that is not there, and a role that it does not have.
    async fn check(&self, org_id: Uuid, role: &str) -> Result<()> {
        if self.store.db.org(org_id).await?.is_none() {
            bail!("organization not found");
        }
        let is_known = Permissions::of_built_in(role).is_some()
            || self.store.db.role_named(org_id, role).await?.is_some();
        if !is_known {
            bail!("role not found: {role}; built in are owner, admin, developer, analyst, viewer");
        }
        Ok(())
    }
}

impl Command {
    pub fn run(self) -> Result<()> {
        println!("{}", runtime()?.block_on(self.answer())?);
        Ok(())
    }

    async fn answer(self) -> Result<Value> {
        let desk = Desk::open(self.flags()).await?;
        let answer = match self {
            Self::CreateOrg(command) => command.run(&desk).await,
            Self::CreateUser(command) => command.run(&desk).await,
            Self::AddMember(command) => command.run(&desk).await,
            Self::SetCredits(command) => command.run(&desk).await,
            Self::Unlock(command) => command.run(&desk).await,
        };
        desk.store.db.close().await;
        answer
    }

    const fn flags(&self) -> &ConfigFlags {
        match self {
            Self::CreateOrg(command) => &command.flags,
            Self::CreateUser(command) => &command.flags,
            Self::AddMember(command) => &command.flags,
            Self::SetCredits(command) => &command.flags,
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
