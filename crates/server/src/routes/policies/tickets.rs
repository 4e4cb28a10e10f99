//! The connectors that a policy names: those of its tickets, and the one that is asked for opinions.

use guardengine_engine::{fields::Invalid, policy::written::Policy};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    app::App,
    connectors::{Category, of_name},
    http::{Caller, Error},
};

/// Those connectors; 422 unless each of them is one of that kind in the caller's organisation.
pub async fn connectors(app: &App, caller: &Caller, policy: &Policy) -> Result<Vec<Uuid>, Error> {
    let mut connectors = Vec::new();
    for (at, item) in policy.guardrails.iter().enumerate() {
        let Some(id) = item.ticket.as_ref().and_then(named) else { continue };
        if !is_of_kind(app, caller, id, Category::Tickets).await? {
            let field = format!("guardrails.{at}.ticket.connector_id");
            return Err(Invalid::value(field, "must be a ticket connector of the organisation").into());
        }
        connectors.push(id);
    }
    connectors.extend(adviser(app, caller, policy).await?);
    Ok(connectors)
}

async fn adviser(app: &App, caller: &Caller, policy: &Policy) -> Result<Option<Uuid>, Error> {
    let named = policy.llm_reasoning.as_ref().and_then(|reasoning| reasoning.connector_id.as_deref());
    let Some(id) = named.and_then(|id| id.parse().ok()) else { return Ok(None) };
    if is_of_kind(app, caller, id, Category::Ai).await? {
        return Ok(Some(id));
    }
    let accepted = "must be an AI connector of the organisation";
    Err(Invalid::value("llm_reasoning.connector_id", accepted).into())
}

async fn is_of_kind(app: &App, caller: &Caller, id: Uuid, category: Category) -> Result<bool, Error> {
    let found = app.db.connector(caller.org_id, id).await?;
    let kind = found.and_then(|connector| of_name(&connector.connector_type));
    Ok(kind.is_some_and(|kind| kind.is(category)))
}

fn named(ticket: &Value) -> Option<Uuid> {
    ticket["connector_id"].as_str()?.parse().ok()
}

/// A connector may be deleted between the look at it and the policy's row.
pub fn dangling(fault: guardengine_store::Error) -> Error {
    if fault.is_dangling() {
        Error::conflict("a connector that the policy names was deleted meanwhile")
    } else {
        fault.into()
    }
}
