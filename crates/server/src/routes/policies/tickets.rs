//! Connectors that a policy refers to, for tickets and second opinions.

use guardengine_auth::Principal;
use guardengine_engine::{
    fields::{FieldError, Fields},
    policy::document::Policy,
};
use guardengine_integrations::{
    connectors::{Category, of_name},
    tickets::{Template, connector, foreign_to},
};
use serde_json::Value;
use uuid::Uuid;

use crate::{app::Tenants, http::Error};

/// Returns the identifiers of those connectors; 422 unless each exists in the caller's organization, has the right
/// type, and can create the ticket.
pub async fn connectors(tenants: &Tenants, caller: &Principal, policy: &Policy) -> Result<Vec<Uuid>, Error> {
    let mut connectors = Vec::new();
    for (at, item) in policy.guardrails.iter().enumerate() {
        let Some(ticket) = &item.ticket else { continue };
        let path = format!("guardrails.{at}.ticket");
        let template = Fields::of(ticket, "ticket").and_then(Template::read);
        let template = template.map_err(|error| error.under(&path))?;
        let (id, system) = ticket_connector(tenants, caller, ticket).await?.ok_or_else(|| {
            FieldError::value(
                format!("{path}.connector_id"),
                "must be a ticket connector of the organisation",
            )
        })?;
        if let Some(error) = foreign_to(&system, &template) {
            return Err(error.under(&path).into());
        }
        connectors.push(id);
    }
    connectors.extend(adviser(tenants, caller, policy).await?);
    Ok(connectors)
}

async fn adviser(tenants: &Tenants, caller: &Principal, policy: &Policy) -> Result<Option<Uuid>, Error> {
    let named = policy.llm_reasoning.as_ref().and_then(|reasoning| reasoning.connector_id.as_deref());
    let Some(id) = named.and_then(|id| id.parse().ok()) else { return Ok(None) };
    if of_kind(tenants, caller, id, Category::Ai).await?.is_some() {
        return Ok(Some(id));
    }
    let accepted = "must be an AI connector of the organisation";
    Err(FieldError::value("llm_reasoning.connector_id", accepted).into())
}

/// Returns the connector of a ticket and its type, if it is a ticket connector.
async fn ticket_connector(
    tenants: &Tenants,
    caller: &Principal,
    ticket: &Value,
) -> Result<Option<(Uuid, String)>, Error> {
    let Some(id) = connector(ticket) else { return Ok(None) };
    let system = of_kind(tenants, caller, id, Category::Tickets).await?;
    Ok(system.map(|system| (id, system)))
}

/// Returns the type of a connector of the caller's organization, if it belongs to `category`.
async fn of_kind(
    tenants: &Tenants,
    caller: &Principal,
    id: Uuid,
    category: Category,
) -> Result<Option<String>, Error> {
    let found = tenants.db.connector(caller.org_id, id).await?;
    let is_of_kind = |system: &String| of_name(system).is_some_and(|kind| kind.is(category));
    Ok(found.map(|connector| connector.connector_type).filter(is_of_kind))
}

/// Maps a connector that was deleted after the check to 409.
pub fn dangling(error: guardengine_store::Error) -> Error {
    if error.is_missing_reference() {
        Error::conflict("a connector that the policy names was deleted meanwhile")
    } else {
        error.into()
    }
}
