use guardengine_engine::policy::document::Policy;
use serde_json::Value;

use crate::http::{Answer, Error, Json};
use crate::policies::written::WrittenPolicy;

/// Get the built-in policy
///
/// Applies to guard requests without a project.
#[utoipa::path(
    get, path = "/api/policy/default", tag = "policies", operation_id = "policies_default",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The policy", body = WrittenPolicy),
    )
)]
pub async fn handle() -> Answer<Value> {
    serde_json::to_value(Policy::built_in()).map(Json).map_err(Error::internal)
}
