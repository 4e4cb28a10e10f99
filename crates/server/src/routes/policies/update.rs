use axum::extract::{Request, State};
use guardengine_engine::policy::written;
use guardengine_store::{Changed, Policy, PolicyText};
use serde_json::Value;

use super::{
    patch::PolicyPatch,
    response::{PolicyRecord, read, stored},
    tickets,
};
use crate::{
    app::App,
    audit,
    http::{Answer, Error, ErrorBody, Json, PathId, Principal, json, permission},
};

/// Of callers who change a policy at the same time one wins each round; the others read again and try the next.
const ROUNDS: usize = 64;

/// Change a policy
///
/// A field that is absent keeps its value; `guardrails` and the keyword lists are replaced whole. A change makes a new
/// version, and the next guard request is judged by it. Putting an old version's `policy` rolls back.
#[utoipa::path(
    put, path = "/api/policy/{policyId}", tag = "policies", operation_id = "policies_update",
    params(("policyId" = Uuid, Path, description = "From its creation or the list")),
    request_body(content = Object, content_type = "application/json", example = json!({
        "max_prompt_length": 8000,
        "blocked_keywords": ["project aurora", "project borealis"],
    })),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The policy as it is now", body = PolicyRecord),
        (status = 404, description = "No such policy", body = ErrorBody),
        (status = 409, description = "The name is in use, or too many change it at once", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    PathId(id): PathId,
    request: Request,
) -> Answer<PolicyRecord> {
    let change = PolicyPatch::read(&json(request, &()).await?)?;
    for _ in 0..ROUNDS {
        let found = stored(&app, &caller, id).await?;
        let before = read(&found.content)?;
        let after = change.over(&before)?;
        if after == before {
            return Ok(Json(PolicyRecord::of(&found)?));
        }
        if let Some(policy) = write(&app, &caller, &found, (&before, &after)).await? {
            return Ok(Json(PolicyRecord::of(&policy)?));
        }
    }
    Err(Error::conflict("the policy is being changed by others, try again"))
}

/// Writes the next version; `None` when somebody else did so first.
async fn write(
    app: &App,
    caller: &Principal,
    found: &Policy,
    (before, after): (&written::Policy, &written::Policy),
) -> Result<Option<Policy>, Error> {
    let changes = changes(before, after)?;
    let content = serde_json::to_string(after).map_err(Error::internal)?;
    let connectors = tickets::connectors(app, caller, after).await?;
    let text =
        PolicyText { name: &after.name, content: &content, by: &caller.username, connectors: &connectors };
    let mut tx = audit::begin(app).await?;
    let changed = tx.update_policy(found, text, app.clock.now()).await;
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

fn changes(before: &written::Policy, after: &written::Policy) -> Result<Value, Error> {
    let json = |policy| serde_json::to_value(policy).map_err(Error::internal);
    Ok(audit::changes(&json(before)?, &json(after)?))
}
