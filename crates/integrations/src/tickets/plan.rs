//! Plans the tickets of a decision: one for each triggered guardrail with a ticket in the policy.

use std::time::Duration;

use guardengine_api_types::BaseUrl;
use guardengine_engine::{
    fields::Fields,
    policy::{CompiledPolicy, TriggeredGuardrail},
};
use guardengine_store::{Db, LogEntry, NewTicket, Result, new_id};
use guardengine_vault::DataKey;
use serde_json::Value;
use uuid::Uuid;

use super::{content::Content, template::Template, variables::Incident};

/// Parameters for recognizing similar tickets.
pub struct Deduplication<'a> {
    /// The organization's key.
    pub key: &'a DataKey,
    /// Time during which similar incidents become comments on one ticket.
    pub window: Duration,
    /// The end user, as the caller named them. The log may keep less.
    pub username: Option<&'a str>,
}

/// Returns the tickets of a decision. They still need their systems from [`addressed`].
pub fn plan_tickets(
    policy: &CompiledPolicy,
    triggered: &[TriggeredGuardrail],
    log: &LogEntry,
    deduplication: &Deduplication<'_>,
    base_url: &BaseUrl,
) -> Vec<NewTicket> {
    let ticket = |one: &TriggeredGuardrail| {
        let fields = policy.ticket(one.name)?;
        let connector_id = connector(fields)?;
        // Policies stored before templates were validated may hold invalid ones: use the default template.
        let template = Fields::of(fields, "ticket").and_then(Template::read).unwrap_or_default();
        let content = Content::of(&template, &Incident { log, triggered: one, base_url });
        Some(NewTicket {
            id: new_id(log.created_at),
            connector_id,
            system: String::new(),
            guardrail: one.name.to_owned(),
            likeness: dedup_key(deduplication, connector_id, one.name, log),
            joins_since: log.created_at - deduplication.window,
            title: content.title.clone(),
            content: serde_json::to_string(&content).unwrap_or_default(),
        })
    };
    triggered.iter().filter_map(ticket).collect()
}

/// Fills in the system of each ticket. Drops tickets whose connector was deleted.
pub async fn addressed(db: &Db, log: &LogEntry, tickets: Vec<NewTicket>) -> Result<Vec<NewTicket>> {
    let mut addressed = Vec::new();
    for ticket in tickets {
        if let Some(connector) = db.connector(log.org_id, ticket.connector_id).await? {
            addressed.push(NewTicket { system: connector.connector_type, ..ticket });
        } else {
            let connector = ticket.connector_id;
            tracing::warn!(%connector, log_id = %log.id, "ticket dropped: its connector was deleted");
        }
    }
    Ok(addressed)
}

/// Returns the connector that a policy's ticket names.
pub fn connector(ticket: &Value) -> Option<Uuid> {
    ticket["connector_id"].as_str()?.parse().ok()
}

/// Returns the deduplication key of a ticket: a keyed digest, because the key must not reveal the end user.
fn dedup_key(of: &Deduplication<'_>, connector: Uuid, guardrail: &str, log: &LogEntry) -> [u8; 32] {
    let username = of.username.map(str::trim).filter(|name| !name.is_empty());
    let subject =
        username.map_or_else(|| format!("caller {}", log.principal), |name| format!("end user {name}"));
    of.key.digest("ticket likeness", format!("{connector} {guardrail} {subject}").as_bytes())
}
