use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, permission};
use guardengine_store::Deleted;
use serde_json::json;

use super::response::stored;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, MessageBody, PathId},
};

/// Delete a policy
///
/// Deletes the policy and its versions. A policy that a project uses, also as shadow policy, cannot be deleted.
#[utoipa::path(
    delete, path = "/api/policy/{policyId}", tag = "policies", operation_id = "policies_delete",
    params(("policyId" = uuid::Uuid, Path, description = "Policy identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Deleted", body = MessageBody),
        (status = 404, description = "Policy not found", body = ErrorBody),
        (status = 409, description = "Projects use the policy; `detail` lists them", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<MessageBody> {
    let policy = stored(&tenants, &caller, id).await?;
    let mut tx = tenants.audited().await?;
    match tx.delete_policy(caller.org_id, id).await? {
        Deleted::Done => {
            let details = json!({ "policyName": policy.name });
            audit::commit(tx, &caller, permission::DELETE_POLICY, id, details).await?;
            Ok(Json(MessageBody::new("policy deleted")))
        }
        Deleted::Missing => Err(Error::not_found("policy")),
        Deleted::InUse(projects) => {
            Err(Error::conflict(format!("policy in use by projects: {}", projects.join(", "))))
        }
    }
}
