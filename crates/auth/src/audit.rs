//! Audit trail: records the actions of users and API keys in their organization's trail.

use std::{fmt::Display, net::IpAddr};

use guardengine_store::{AuditedTx, Db, NewAuditEntry, Result, Timestamp};
use serde_json::Value;
use uuid::Uuid;

use crate::Principal;

/// Author of an action, and the client's address.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Organization whose trail gets the entry.
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

impl From<Actor> for guardengine_store::Actor {
    fn from(actor: Actor) -> Self {
        Self { org_id: actor.org_id, principal: actor.principal, address: actor.address.to_string() }
    }
}

/// Ends a transaction that [`Db::audited`] began. Records that an actor did `action`, usually a permission, to `target`,
/// and commits the record with the changes; `details` hold no secrets.
pub async fn commit(
    tx: AuditedTx,
    actor: impl Into<Actor>,
    action: impl Display,
    target: impl Display,
    details: Value,
) -> Result<()> {
    let actor = actor.into().into();
    tx.commit(&actor, &action.to_string(), &target.to_string(), &details.to_string()).await?;
    Ok(())
}

/// Records an action that changes no row, such as reading a sealed text; `details` must not contain secrets.
pub async fn record(
    db: &Db,
    now: Timestamp,
    actor: impl Into<Actor>,
    action: impl Display,
    target: impl Display,
    details: Value,
) -> Result<()> {
    let actor = actor.into();
    let entry = NewAuditEntry {
        org_id: actor.org_id,
        principal: &actor.principal,
        address: &actor.address.to_string(),
        action: &action.to_string(),
        target: &target.to_string(),
        details: &details.to_string(),
    };
    db.append_audit(entry, now).await?;
    Ok(())
}
