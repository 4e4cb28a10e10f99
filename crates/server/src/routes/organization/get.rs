use axum::extract::State;
use guardengine_store::Org;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json},
};

/// The caller's organization.
#[derive(Debug, Serialize, ToSchema)]
pub struct Organization {
    org_id: Uuid,
    name: String,
    /// The caller's role.
    role: String,
    /// Credit balance.
    credits: i64,
    /// True if guard requests must name a project. Otherwise the built-in policy decides about those that do not.
    require_project: bool,
}

impl Organization {
    /// Creates the record of an organization for a member with this role.
    pub fn of(org: Org, role: String) -> Self {
        let Org { id, name, credits, require_project, .. } = org;
        Self { org_id: id, name, role, credits, require_project }
    }
}

/// Get your organization
#[utoipa::path(
    get, path = "/api/organization", tag = "organization", operation_id = "organization_get",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The organization", body = Organization),
    )
)]
pub async fn handle(State(tenants): State<Tenants>, Caller(caller): Caller) -> Answer<Organization> {
    let org = tenants.db.org(caller.org_id).await?.ok_or_else(|| Error::not_found("organization"))?;
    Ok(Json(Organization::of(org, caller.role)))
}
