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
use guardengine_vault::DataKey;

/// What telling tickets alike needs.
pub struct Deduplication<'a> {
    /// The organisation's key.
    pub key: &'a DataKey,
    /// For how long a ticket is commented on instead of raising another.
    pub window: Duration,
}

/// The tickets that the decision of that row asks for; they have to be [addressed].
pub fn plan_tickets(
    policy: &Compiled,
    triggered: &[Triggered],
    log: &Log,
    alike: &Deduplication<'_>,
) -> Vec<NewTicket> {
    let ticket = |one: &Triggered| {
        let written = policy.ticket(one.name)?;
        let connector_id = connector(written)?;
        // What policies were not checked for when they were written is left out.
        let template = Fields::of(written, "ticket").and_then(Template::read).unwrap_or_default();
        let content = Content::of(&template, log, one);
        Some(NewTicket {
            id: new_id(log.created_at),
            connector_id,
            system: String::new(),
            guardrail: one.name.to_owned(),
            likeness: likeness(alike.key, connector_id, one.name, log),
            joins_since: log.created_at - alike.window,
            title: content.title.clone(),
            content: serde_json::to_string(&content).unwrap_or_default(),
        })
    };
    triggered.iter().filter_map(ticket).collect()
}

/// Tickets with the system that each goes to, without those whose connector is gone.
pub async fn addressed(db: &Db, log: &Log, tickets: Vec<NewTicket>) -> Result<Vec<NewTicket>> {
    let mut addressed = Vec::new();
    for ticket in tickets {
        if let Some(connector) = db.connector(log.org_id, ticket.connector_id).await? {
            addressed.push(NewTicket { system: connector.connector_type, ..ticket });
        } else {
            let connector = ticket.connector_id;
            tracing::warn!(%connector, row = %log.id, "a ticket's connector is gone, it is not raised");
        }
    }
    Ok(addressed)
}

/// The connector that a policy's ticket names.
pub fn connector(ticket: &Value) -> Option<Uuid> {
    ticket["connector_id"].as_str()?.parse().ok()
}

/// A keyed digest: whom tickets are about is told in them alone.
fn likeness(key: &DataKey, connector: Uuid, guardrail: &str, log: &Log) -> [u8; 32] {
    let named = log.username.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let who = named.map_or_else(|| format!("caller {}", log.principal), |name| format!("end user {name}"));
    key.digest("ticket likeness", format!("{connector} {guardrail} {who}").as_bytes())
}
