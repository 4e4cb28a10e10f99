//! The tickets that a decision asks for: one for each guardrail that triggered and has one in the policy.

use std::time::Duration;

use guardengine_engine::{
    fields::Fields,
    policy::{Compiled, Triggered},
};
use guardengine_store::{Db, Log, NewTicket, Result, new_id};
use serde_json::Value;
use uuid::Uuid;

use super::{content::Content, template::Template};
use crate::vault::Key;

/// What telling tickets alike needs.
pub struct Alike<'a> {
    /// The organisation's key.
    pub key: &'a Key,
    /// For how long a ticket is commented on instead of raising another.
    pub window: Duration,
}

/// The tickets that the decision of that row asks for.
pub async fn wanted(
    db: &Db,
    policy: &Compiled,
    triggered: &[Triggered],
    log: &Log,
    alike: &Alike<'_>,
) -> Result<Vec<NewTicket>> {
    let mut tickets = Vec::new();
    for one in triggered {
        let Some(written) = policy.ticket(one.name) else { continue };
        let Some(connector_id) = connector(written) else { continue };
        let Some(connector) = db.connector(log.org_id, connector_id).await? else {
            tracing::warn!(connector = %connector_id, row = %log.id, "a ticket's connector is gone, it is not raised");
            continue;
        };
        // What policies were not checked for when they were written is left out.
        let template = Fields::of(written, "ticket").and_then(Template::read).unwrap_or_default();
        let content = Content::of(&template, log, one);
        tickets.push(NewTicket {
            id: new_id(log.created_at),
            connector_id,
            system: connector.connector_type,
            guardrail: one.name.to_owned(),
            likeness: likeness(alike.key, connector_id, one.name, log),
            joins_since: log.created_at - alike.window,
            title: content.title.clone(),
            content: serde_json::to_string(&content).unwrap_or_default(),
        });
    }
    Ok(tickets)
}

/// The connector that a policy's ticket names.
pub fn connector(ticket: &Value) -> Option<Uuid> {
    ticket["connector_id"].as_str()?.parse().ok()
}

/// A keyed digest: whom tickets are about is told in them alone.
fn likeness(key: &Key, connector: Uuid, guardrail: &str, log: &Log) -> [u8; 32] {
    let named = log.username.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let who = named.map_or_else(|| format!("caller {}", log.principal), |name| format!("end user {name}"));
    key.digest("ticket likeness", format!("{connector} {guardrail} {who}").as_bytes())
}
