use axum::extract::{Request, State};
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, permission};
use guardengine_engine::policy::document::Policy;
use guardengine_guard::Guard;
use guardengine_store::{Created, PolicyFields};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::tickets;
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, json, new_name},
    policies::{measured_thresholds::false_positive_budget, written::PolicyRequest},
};

/// The created policy.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreatedPolicy {
    #[serde(rename = "policyId")]
    policy_id: Uuid,
    #[serde(rename = "policyName")]
    policy_name: String,
}

/// Create a policy
///
/// Only `policyName` is required. `GET /api/policy/default` shows every guardrail with its defaults.
#[utoipa::path(
    post, path = "/api/policy/create", tag = "policies", operation_id = "policies_create",
    request_body(content = PolicyRequest, content_type = "application/json", example = json!({
        "policyName": "support desk",
        "policyMode": "unified",
        "guardrails": [
            { "guardrail": "prompt_injection", "threshold": 0.7 },
            { "guardrail": "pii", "pii_masking_enabled": true, "pii_masking_strategy": "partial" },
        ],
        "max_prompt_length": 4000,
        "blocked_keywords": ["project aurora"],
    })),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The identifier of the created policy", body = CreatedPolicy),
        (status = 409, description = "The name is taken", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    request: Request,
) -> Answer<CreatedPolicy> {
    let mut body = json(request, &()).await?;
    if let Some(Value::String(name)) = body.get_mut("policyName") {
        *name = new_name("policyName", name)?;
    }
    false_positive_budget::pick(&mut body);
    let policy = guard.compile_draft(caller.org_id, move || Policy::parse(&body)).await??;
    let content = serde_json::to_string(&policy).map_err(Error::internal)?;
    let connectors = tickets::connectors(&tenants, &caller, &policy).await?;
    let text =
        PolicyFields { name: &policy.name, content: &content, by: &caller.username, connectors: &connectors };
    let mut tx = tenants.audited().await?;
    let made = tx.create_policy(caller.org_id, text, tenants.clock.now()).await;
    match made.map_err(tickets::dangling)? {
        Created::Done(made) => {
            let details = serde_json::json!({ "policyName": made.name });
            audit::commit(tx, &caller, permission::CREATE_POLICY, made.id, details).await?;
            Ok(Json(CreatedPolicy { policy_id: made.id, policy_name: made.name }))
        }
        Created::NameTaken => Err(Error::name_taken("a policy")),
    }
}
