use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_guard::Guard;

use super::response::{PolicyRecord, stored};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, PathId},
    policies::topics::ShownTopics,
};

/// Get a policy
#[utoipa::path(
    get, path = "/api/policy/{policyId}", tag = "policies", operation_id = "policies_get",
    params(("policyId" = uuid::Uuid, Path, description = "Policy identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The policy", body = PolicyRecord),
        (status = 404, description = "Policy not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<PolicyRecord> {
    let policy = stored(&tenants, &caller, id).await?;
    PolicyRecord::of(&policy, &ShownTopics::new(&guard)).await.map(Json)
}
