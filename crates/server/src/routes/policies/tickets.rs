//! The connectors that a policy's tickets name.

use guardengine_engine::{fields::Invalid, policy::written::Policy};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    app::App,
    connectors::{Category, of_name},
    http::{Caller, Error},
};

/// Those connectors; 422 unless each of them is one for tickets in the caller's organisation.
pub async fn connectors(app: &App, caller: &Caller, policy: &Policy) -> Result<Vec<Uuid>, Error> {
    let mut connectors = Vec::new();
    for (at, item) in policy.guardrails.iter().enumerate() {
        let Some(id) = item.ticket.as_ref().and_then(named) else { continue };
        let found = app.db.connector(caller.org_id, id).await?;
        let kind = found.and_then(|connector| of_name(&connector.connector_type));
        if !kind.is_some_and(|kind| kind.is(Category::Tickets)) {
            let field = format!("guardrails.{at}.ticket.connector_id");
            return Err(Invalid::value(field, "must be a ticket connector of the organisation").into());
        }
        connectors.push(id);
    }
    Ok(connectors)
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
