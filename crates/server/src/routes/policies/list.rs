use axum::extract::State;
use guardengine_guard::Guard;
use serde::Serialize;
use utoipa::ToSchema;

use super::response::PolicyRecord;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json},
    policies::topics::ShownTopics,
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
pub async fn handle(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
) -> Answer<Policies> {
    let stored = tenants.db.policies(caller.org_id).await?;
    let topics = ShownTopics::new(&guard);
    let mut policies = Vec::with_capacity(stored.len());
    for policy in &stored {
        policies.push(PolicyRecord::of(policy, &topics).await?);
    }
    Ok(Json(Policies { total: policies.len(), policies }))
}
