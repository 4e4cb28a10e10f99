use axum::extract::State;
use guardengine_api_types::ErrorBody;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::response::{read, stored};
use crate::{
    app::Tenants,
    compliance::{Coverage, coverage},
    http::{Answer, Caller, Json, PathId},
};

/// Compliance coverage of a policy.
#[derive(Debug, Serialize, ToSchema)]
pub struct Mapped {
    #[serde(rename = "policyId")]
    policy_id: Uuid,
    version: i64,
    compliance_region: Option<String>,
    #[serde(flatten)]
    coverage: Coverage,
}

/// Get the compliance coverage of a policy
///
/// For each of the policy's `compliance_frameworks`: the controls that an enabled guardrail covers, and those that none
/// covers. Guardrails with the action `Allow` cover nothing.
#[utoipa::path(
    get, path = "/api/policy/{policyId}/compliance", tag = "policies", operation_id = "policies_compliance",
    params(("policyId" = Uuid, Path, description = "Policy identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The controls by framework", body = Mapped),
        (status = 404, description = "Policy not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<Mapped> {
    let policy = stored(&tenants, &caller, id).await?;
    let written = read(&policy.content)?;
    Ok(Json(Mapped {
        policy_id: policy.id,
        version: policy.version,
        coverage: coverage(&written),
        compliance_region: written.compliance_region,
    }))
}
