//! Fields of a subscription in request bodies.

use std::collections::BTreeSet;

use guardengine_auth::{Principal, project_access::may_see_project};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_integrations::events::KINDS;
use guardengine_store::Connector;
use serde::Serialize;
use uuid::Uuid;

use crate::{app::Tenants, http::Error};

const MAX_PROJECTS: usize = 500;

/// A field that narrows events: `None` if absent, `Some(None)` if null, which means all.
pub type Narrowed<T> = Option<Option<BTreeSet<T>>>;

/// Reads the field `kinds`.
pub fn kinds(fields: Fields<'_>) -> Result<Narrowed<String>, FieldError> {
    if fields.is_null("kinds") {
        return Ok(Some(None));
    }
    let Some(items) = fields.array("kinds", KINDS.len())? else { return Ok(None) };
    let known = |(at, item): (usize, &serde_json::Value)| {
        let named = item.as_str().filter(|name| KINDS.contains(name)).map(str::to_owned);
        let accepted = || format!("must be one of {}", KINDS.join(", "));
        named.ok_or_else(|| FieldError::value(format!("kinds.{at}"), accepted()))
    };
    let kinds: BTreeSet<_> = items.iter().enumerate().map(known).collect::<Result<_, _>>()?;
    not_empty("kinds", kinds)
}

/// Reads the field `projects`.
pub fn projects(fields: Fields<'_>) -> Result<Narrowed<Uuid>, FieldError> {
    if fields.is_null("projects") {
        return Ok(Some(None));
    }
    let Some(items) = fields.array("projects", MAX_PROJECTS)? else { return Ok(None) };
    let id = |(at, item): (usize, &serde_json::Value)| {
        let parsed = item.as_str().and_then(|text| text.parse().ok());
        parsed.ok_or_else(|| FieldError::uuid(format!("projects.{at}")))
    };
    let projects: BTreeSet<_> = items.iter().enumerate().map(id).collect::<Result<_, _>>()?;
    not_empty("projects", projects)
}

fn not_empty<T>(field: &str, items: BTreeSet<T>) -> Result<Narrowed<T>, FieldError> {
    if items.is_empty() {
        return Err(FieldError::value(field, "must name at least one, or be null for all"));
    }
    Ok(Some(Some(items)))
}

/// Serializes a set for the store.
pub fn stored<T: Serialize>(items: Option<&BTreeSet<T>>) -> Result<Option<String>, Error> {
    items.map(serde_json::to_string).transpose().map_err(Error::internal)
}

/// Returns the webhook connector of the caller's organization, or 422.
pub async fn webhook(tenants: &Tenants, caller: &Principal, id: Uuid) -> Result<Connector, Error> {
    let connector = tenants.db.connector(caller.org_id, id).await?;
    let webhook = connector.filter(|connector| connector.connector_type == "webhook");
    let accepted = "must be a webhook connector of the organisation";
    Ok(webhook.ok_or_else(|| FieldError::value("connector_id", accepted))?)
}

/// Returns an error unless the caller may see the projects; `None` means every project.
pub async fn may_see(
    tenants: &Tenants,
    caller: &Principal,
    projects: Option<&BTreeSet<Uuid>>,
) -> Result<(), Error> {
    let Some(projects) = projects else {
        let all = caller.sees_all_projects();
        return if all { Ok(()) } else { Err(Error::forbidden("not a member of every project")) };
    };
    for project in projects {
        may_see_project(&tenants.db, caller, *project).await?;
    }
    Ok(())
}
