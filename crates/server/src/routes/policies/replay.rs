use std::sync::Arc;

use axum::extract::{FromRequest as _, Request, State};
use guardengine_api_types::ErrorBody;
use guardengine_auth::{
    Principal, permission,
    project_access::{log_scope, may_see_project},
};
use guardengine_engine::{
    fields::{FieldError, Fields},
    policy::CompiledPolicy,
};
use guardengine_guard::Guard;
use guardengine_store::{LogFilter, Policy, Timestamp};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    patch::PolicyPatch,
    replay_run::{Replay, Rows},
    response::{read, stored},
};
use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Error, FromFields, Json, PathId, optional_id},
};

/// Error message for a malformed time.
const TIME: &str = "must be an RFC 3339 time, such as 2026-01-02T03:04:05Z";

const DEFAULT_LIMIT: u16 = 100;

/// Log entries and policy of a replay.
#[derive(Debug, ToSchema)]
#[schema(as = PolicyReplayRequest, example = json!({ "policy": { "blocked_keywords": ["project aurora"] }, "limit": 100 }))]
pub struct ReplayRequest {
    /// Unsaved changes, as in `PUT`. If absent, the stored policy is used.
    #[schema(value_type = Option<crate::policies::written::PolicyChange>)]
    policy: Option<PolicyPatch>,
    /// Earliest time, inclusive.
    #[schema(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// Latest time, exclusive.
    #[schema(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
    /// Project identifier. If absent, all projects of the caller.
    project: Option<Uuid>,
    /// Maximum number of log entries, 1 to 1000. Default: 100.
    #[schema(value_type = Option<u16>, minimum = 1, maximum = 1000)]
    limit: u16,
    /// `next_cursor` of a previous response.
    cursor: Option<Uuid>,
}

impl FromFields for ReplayRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            policy: fields.get("policy").map(draft).transpose()?,
            from: time(fields, "from")?,
            to: time(fields, "to")?,
            project: optional_id(fields, "project")?,
            limit: fields.integer("limit", 1..=1000)?.map_or(DEFAULT_LIMIT, |limit| limit as u16),
            cursor: optional_id(fields, "cursor")?,
        })
    }
}

/// Reads unsaved changes from a request.
pub(super) fn draft(value: &serde_json::Value) -> Result<PolicyPatch, FieldError> {
    Fields::of(value, "policy")?;
    PolicyPatch::read(value).map_err(|error| error.under("policy"))
}

fn time(fields: Fields<'_>, field: &str) -> Result<Option<Timestamp>, FieldError> {
    let parse = |text: &str| text.parse().map_err(|_| FieldError::value(field, TIME));
    fields.string(field)?.map(parse).transpose()
}

/// Replay stored requests
///
/// Evaluates stored texts again and reports the changed decisions per log entry. Texts are replayed as stored: masked
/// personal data stays masked. Nothing is logged or charged. Also needs `LOGS:VIEW_LOG`; members see the log entries of
/// their projects.
#[utoipa::path(
    post, path = "/api/policy/{policyId}/replay", tag = "policies", operation_id = "policies_replay",
    params(("policyId" = Uuid, Path, description = "Policy identifier")),
    request_body = ReplayRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The replayed log entries and their new decisions", body = Replay),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Policy or project not found", body = ErrorBody),
        (status = 503, description = "Another replay is running, or the engine is busy", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    PathId(id): PathId,
    request: Request,
) -> Answer<Replay> {
    caller.needs(permission::VIEW_LOG)?;
    let Body(replay) = Body::<ReplayRequest>::from_request(request, &tenants).await?;
    check(&guard, caller.org_id, replay.policy.as_ref()).await?;
    let policy = stored(&tenants, &caller, id).await?;
    let rows = Rows {
        org_id: caller.org_id,
        policy: compiled(&guard, &policy, replay.policy.as_ref()).await?,
        filter: filter(&tenants, &caller, &replay).await?,
        limit: replay.limit,
        cursor: replay.cursor,
    };
    let _turn = guard.replay_turn()?;
    rows.replay(&tenants.db, &guard).await.map(Json)
}

/// Checks that a draft compiles.
pub(super) async fn check(guard: &Guard, org_id: Uuid, draft: Option<&PolicyPatch>) -> Result<(), Error> {
    let Some(draft) = draft.cloned() else { return Ok(()) };
    let checked = guard.compile_draft(org_id, move || draft.check()).await?;
    Ok(checked.map_err(|error| error.under("policy"))?)
}

/// Returns the compiled policy, with the draft applied if there is one.
pub(super) async fn compiled(
    guard: &Guard,
    policy: &Policy,
    draft: Option<&PolicyPatch>,
) -> Result<Arc<CompiledPolicy>, Error> {
    let Some(draft) = draft.cloned() else { return Ok(guard.compiled(policy).await?) };
    let written = read(&policy.content)?;
    let compile = move || draft.compiled_over(&written);
    Ok(guard.compile_policy(policy.org_id, compile).await??)
}

async fn filter(tenants: &Tenants, caller: &Principal, replay: &ReplayRequest) -> Result<LogFilter, Error> {
    if let Some(project) = replay.project {
        may_see_project(&tenants.db, caller, project).await?;
    }
    let ReplayRequest { from, to, project: project_id, .. } = *replay;
    Ok(LogFilter {
        project_id,
        scope: log_scope(&tenants.db, caller).await?,
        from,
        to,
        ..LogFilter::default()
    })
}
