//! What callers do, written at the end of their organisation's audit trail.

mod changes;

use std::{fmt::Display, net::IpAddr};

use guardengine_store::{Act, AuditedTx};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    app::App,
    http::{Error, Principal},
};

pub use changes::changes;

/// Who acts, and from where.
#[derive(Clone, Debug)]
pub struct Actor {
    /// In whose trail it stands.
    pub org_id: Uuid,
    /// As a log row names them.
    pub principal: String,
    /// Their address.
    pub address: IpAddr,
}

impl From<&Principal> for Actor {
    fn from(caller: &Principal) -> Self {
        Self { org_id: caller.org_id, principal: caller.principal_name(), address: caller.address }
    }
}

impl From<Actor> for guardengine_store::Actor {
    fn from(actor: Actor) -> Self {
        Self { org_id: actor.org_id, principal: actor.principal, address: actor.address.to_string() }
    }
}

/// Begins a transaction for changes that end with [`commit`]. Until then, use no other writing method of the database: on
/// SQLite there is one writing connection.
pub async fn begin(app: &App) -> Result<AuditedTx, Error> {
    Ok(app.db.audited(app.clock.now()).await?)
}

/// Records that an actor did `action`, usually a permission, to `target`, and commits the record with the changes;
/// `details` hold no secrets.
pub async fn commit(
    tx: AuditedTx,
    actor: impl Into<Actor>,
    action: impl Display,
    target: impl Display,
    details: Value,
) -> Result<(), Error> {
    let actor = actor.into().into();
    tx.commit(&actor, &action.to_string(), &target.to_string(), &details.to_string()).await?;
    Ok(())
}

/// Records an action that changes no row, such as reading a sealed text; `details` hold no secrets.
pub async fn record(
    app: &App,
    actor: impl Into<Actor>,
    action: impl Display,
    target: impl Display,
    details: Value,
) -> Result<(), Error> {
    let actor = actor.into();
    let act = Act {
        org_id: actor.org_id,
        principal: &actor.principal,
        address: &actor.address.to_string(),
        action: &action.to_string(),
        target: &target.to_string(),
        details: &details.to_string(),
    };
    app.db.append_audit(act, app.clock.now()).await?;
    Ok(())
}
