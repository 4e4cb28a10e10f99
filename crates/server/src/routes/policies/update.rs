use axum::extract::{Request, State};
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Principal, audit, permission};
use guardengine_engine::policy::document;
use guardengine_guard::Guard;
use guardengine_store::{Changed, Policy, PolicyFields};
use serde_json::Value;

use super::{
    patch::PolicyPatch,
    response::{PolicyRecord, read, stored},
    tickets,
};
use crate::{
    app::Tenants,
    diff::diff,
    http::{Answer, Caller, Error, Json, PathId, json},
    policies::topics::ShownTopics,
};

/// Attempts under concurrent changes: in each round one caller succeeds, the others read the policy again.
const ROUNDS: usize = 64;

/// Update a policy
///
/// Absent fields keep their value; `guardrails` and the keyword lists are replaced entirely. A change creates a new
/// version, which applies from the next guard request. To roll back, send the `policy` of an old version.
#[utoipa::path(
    put, path = "/api/policy/{policyId}", tag = "policies", operation_id = "policies_update",
    params(("policyId" = Uuid, Path, description = "Policy identifier")),
    request_body(content = crate::policies::written::PolicyChange, content_type = "application/json", example = json!({
        "max_prompt_length": 8000,
        "blocked_keywords": ["project aurora", "project borealis"],
    })),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The updated policy", body = PolicyRecord),
        (status = 404, description = "Policy not found", body = ErrorBody),
        (status = 409, description = "The name is taken, or too many concurrent changes", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    PathId(id): PathId,
    request: Request,
) -> Answer<PolicyRecord> {
    let change = PolicyPatch::read(&json(request, &()).await?)?;
    let checked = change.clone();
    guard.compile_draft(caller.org_id, move || checked.check()).await??;
    for _ in 0..ROUNDS {
        let found = stored(&tenants, &caller, id).await?;
        let before = read(&found.content)?;
        let (change, written) = (change.clone().with_prepared_name(&before.name)?, before.clone());
        let after = guard.compile_draft(caller.org_id, move || change.over(&written)).await??;
        if after == before {
            return PolicyRecord::of(&found, &ShownTopics::new(&guard)).await.map(Json);
        }
        if let Some(policy) = write(&tenants, &caller, &found, (&before, &after)).await? {
            return PolicyRecord::of(&policy, &ShownTopics::new(&guard)).await.map(Json);
        }
    }
    Err(Error::conflict("the policy is being changed by others, try again"))
}

/// Writes the next version; `None` if a concurrent change came first.
async fn write(
    tenants: &Tenants,
    caller: &Principal,
    found: &Policy,
    (before, after): (&document::Policy, &document::Policy),
) -> Result<Option<Policy>, Error> {
    let changes = changes(before, after)?;
    let content = serde_json::to_string(after).map_err(Error::internal)?;
    let connectors = tickets::connectors(tenants, caller, after).await?;
    let text =
        PolicyFields { name: &after.name, content: &content, by: &caller.username, connectors: &connectors };
    let mut tx = tenants.audited().await?;
    let changed = tx.update_policy(found, text, tenants.clock.now()).await;
    match changed.map_err(tickets::dangling)? {
        Changed::Done(policy) => {
            audit::commit(tx, caller, permission::UPDATE_POLICY, policy.id, changes).await?;
            Ok(Some(policy))
        }
        Changed::Stale => Ok(None),
        Changed::NameTaken => Err(Error::name_taken("a policy")),
        Changed::Missing => Err(Error::not_found("policy")),
    }
}

fn changes(before: &document::Policy, after: &document::Policy) -> Result<Value, Error> {
    let json = |policy| serde_json::to_value(policy).map_err(Error::internal);
    Ok(diff(&json(before)?, &json(after)?))
}
