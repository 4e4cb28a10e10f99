//! The tickets of a policy: how they are written, and the connectors that they name.

use guardengine_engine::{
    fields::{Fields, Invalid},
    policy::written::Policy,
};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    app::App,
    connectors::{Category, of_name},
    http::{Caller, Error},
    tickets::{Template, connector, foreign_to},
};

/// The connectors that they name; 422 unless each is one for tickets in the caller's organisation, and the ticket one that
/// it can raise.
pub async fn connectors(app: &App, caller: &Caller, policy: &Policy) -> Result<Vec<Uuid>, Error> {
    let mut connectors = Vec::new();
    for (at, item) in policy.guardrails.iter().enumerate() {
        let Some(ticket) = &item.ticket else { continue };
        let path = format!("guardrails.{at}.ticket");
        let template = Fields::of(ticket, "ticket").and_then(Template::read);
        let template = template.map_err(|fault| fault.under(&path))?;
        let (id, system) = ticket_connector(app, caller, ticket).await?.ok_or_else(|| {
            Invalid::value(format!("{path}.connector_id"), "must be a ticket connector of the organisation")
        })?;
        if let Some(fault) = foreign_to(&system, &template) {
            return Err(fault.under(&path).into());
        }
        connectors.push(id);
    }
    Ok(connectors)
}

/// The connector that a ticket names, with its type, where it is one for tickets.
async fn ticket_connector(
    app: &App,
    caller: &Caller,
    ticket: &Value,
) -> Result<Option<(Uuid, String)>, Error> {
    let Some(id) = connector(ticket) else { return Ok(None) };
    let found = app.db.connector(caller.org_id, id).await?;
    let is_for_tickets = |system: &String| of_name(system).is_some_and(|kind| kind.is(Category::Tickets));
    let system = found.map(|connector| connector.connector_type).filter(is_for_tickets);
    Ok(system.map(|system| (id, system)))
}

/// A connector may be deleted between the look at it and the policy's row.
pub fn dangling(fault: guardengine_store::Error) -> Error {
    if fault.is_dangling() {
        Error::conflict("a connector that the policy names was deleted meanwhile")
    } else {
        fault.into()
    }
}
