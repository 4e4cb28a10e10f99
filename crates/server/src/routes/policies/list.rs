use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::response::PolicyRecord;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json},
};

/// Policies of the organization.
#[derive(Debug, Serialize, ToSchema)]
pub struct Policies {
    policies: Vec<PolicyRecord>,
    total: usize,
}

/// List policies
#[utoipa::path(
    get, path = "/api/policy/list", tag = "policies", operation_id = "policies_list",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The policies", body = Policies),
    )
)]
pub async fn handle(State(tenants): State<Tenants>, Caller(caller): Caller) -> Answer<Policies> {
    let stored = tenants.db.policies(caller.org_id).await?;
    let policies = stored.iter().map(PolicyRecord::of).collect::<Result<Vec<_>, _>>()?;
    Ok(Json(Policies { total: policies.len(), policies }))
}
