use axum::extract::State;

use super::response::{PolicyRecord, stored};
use crate::{
    app::App,
    http::{Answer, ErrorBody, Json, PathId, Principal},
};

/// See a policy
#[utoipa::path(
    get, path = "/api/policy/{policyId}", tag = "policies", operation_id = "policies_get",
    params(("policyId" = uuid::Uuid, Path, description = "From its creation or the list")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The full record", body = PolicyRecord),
        (status = 404, description = "No such policy", body = ErrorBody),
    )
)]
pub async fn handle(State(app): State<App>, caller: Principal, PathId(id): PathId) -> Answer<PolicyRecord> {
    Ok(Json(PolicyRecord::of(&stored(&app, &caller, id).await?)?))
}
