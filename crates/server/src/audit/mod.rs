//! Audit trail: records the actions of users and API keys in their organisation's trail.

mod changes;

use std::{fmt::Display, net::IpAddr};

use guardengine_store::Act;
use serde_json::Value;
use uuid::Uuid;

use crate::{
    app::App,
    http::{Error, Principal},
};

pub use changes::changes;

/// Author of an action, and the client's address.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Organisation whose trail gets the entry.
    pub org_id: Uuid,
    /// Principal, spelled as in log entries.
    pub principal: String,
    /// IP address of the client.
    pub address: IpAddr,
}

impl From<&Principal> for Actor {
    fn from(principal: &Principal) -> Self {
        Self { org_id: principal.org_id, principal: principal.principal_name(), address: principal.address }
    }
}

/// Appends an entry: the actor performed `action`, usually a permission name, on `target`. `details` must not contain secrets.
pub async fn record(
    app: &App,
    actor: impl Into<Actor>,
    action: impl Display,
    target: impl Display,
    details: Value,
) -> Result<(), Error> {
    let actor = actor.into();
    let entry = Act {
        org_id: actor.org_id,
        principal: &actor.principal,
        address: &actor.address.to_string(),
        action: &action.to_string(),
        target: &target.to_string(),
        details: &details.to_string(),
    };
    app.db.append_audit(entry, app.clock.now()).await?;
    Ok(())
}
