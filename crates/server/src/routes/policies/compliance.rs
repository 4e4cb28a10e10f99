use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::response::{read, stored};
use crate::{
    app::App,
    compliance::{Coverage, coverage},
    http::{Answer, ErrorBody, Json, PathId, Principal},
};

/// What a policy does for the frameworks that it is mapped to.
#[derive(Debug, Serialize, ToSchema)]
pub struct Mapped {
    #[serde(rename = "policyId")]
    policy_id: Uuid,
    version: i64,
    compliance_region: Option<String>,
    #[serde(flatten)]
    coverage: Coverage,
}

/// See what a policy does for its frameworks
///
/// For each of its `compliance_frameworks`: the controls that an enabled guardrail serves, and those that none does.
/// A guardrail whose action is `Allow` observes only, and serves nothing here.
#[utoipa::path(
    get, path = "/api/policy/{policyId}/compliance", tag = "policies", operation_id = "policies_compliance",
    params(("policyId" = Uuid, Path, description = "From its creation or the list")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Controls by framework", body = Mapped),
        (status = 404, description = "No such policy", body = ErrorBody),
    )
)]
pub async fn handle(State(app): State<App>, caller: Principal, PathId(id): PathId) -> Answer<Mapped> {
    let policy = stored(&app, &caller, id).await?;
    let written = read(&policy.content)?;
    Ok(Json(Mapped {
        policy_id: policy.id,
        version: policy.version,
        coverage: coverage(&written),
        compliance_region: written.compliance_region,
    }))
}
