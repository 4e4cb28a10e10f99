//! The connectors that a policy names: those of its tickets, and the one that is asked for opinions.

use guardengine_engine::{
    fields::{Fields, Invalid},
    policy::written::Policy,
};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    app::App,
    connectors::{Category, of_name},
    http::{Error, Principal},
    tickets::{Template, connector, foreign_to},
};

/// Those connectors; 422 unless each of them is one of that kind in the caller's organisation, and the ticket one that
/// it can raise.
pub async fn connectors(app: &App, caller: &Principal, policy: &Policy) -> Result<Vec<Uuid>, Error> {
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
    connectors.extend(adviser(app, caller, policy).await?);
    Ok(connectors)
}

async fn adviser(app: &App, caller: &Principal, policy: &Policy) -> Result<Option<Uuid>, Error> {
    let named = policy.llm_reasoning.as_ref().and_then(|reasoning| reasoning.connector_id.as_deref());
    let Some(id) = named.and_then(|id| id.parse().ok()) else { return Ok(None) };
    if of_kind(app, caller, id, Category::Ai).await?.is_some() {
        return Ok(Some(id));
    }
    let accepted = "must be an AI connector of the organisation";
    Err(Invalid::value("llm_reasoning.connector_id", accepted).into())
}

/// The connector that a ticket names, with its type, where it is one for tickets.
async fn ticket_connector(
    app: &App,
    caller: &Principal,
    ticket: &Value,
) -> Result<Option<(Uuid, String)>, Error> {
    let Some(id) = connector(ticket) else { return Ok(None) };
    let system = of_kind(app, caller, id, Category::Tickets).await?;
    Ok(system.map(|system| (id, system)))
}

/// The type of a connector of the caller's organisation, where it is of that kind.
async fn of_kind(
    app: &App,
    caller: &Principal,
    id: Uuid,
    category: Category,
) -> Result<Option<String>, Error> {
    let found = app.db.connector(caller.org_id, id).await?;
    let is_of_kind = |system: &String| of_name(system).is_some_and(|kind| kind.is(category));
    Ok(found.map(|connector| connector.connector_type).filter(is_of_kind))
}

/// A connector may be deleted between the look at it and the policy's row.
pub fn dangling(fault: guardengine_store::Error) -> Error {
    if fault.is_dangling() {
        Error::conflict("a connector that the policy names was deleted meanwhile")
    } else {
        fault.into()
    }
}
