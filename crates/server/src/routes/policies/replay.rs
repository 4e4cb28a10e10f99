use std::sync::Arc;

use axum::extract::{FromRequest as _, Request, State};
use guardengine_engine::{
    fields::{Fields, Invalid},
    policy::Compiled,
};
use guardengine_store::{LogFilter, Policy, Timestamp};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    patch::PolicyPatch,
    replay_run::{Replay, Rows},
    response::{read, stored},
};
use crate::{
    app::App,
    http::{Answer, Body, Error, ErrorBody, FromFields, Json, PathId, Principal, optional_id, permission},
    project_access::{log_scope, may_see_project},
};

/// What a time must be.
const TIME: &str = "must be an ISO 8601 time in UTC, as 2026-01-02T03:04:05Z";

const DEFAULT_LIMIT: u16 = 100;

/// What to replay.
#[derive(Debug, ToSchema)]
#[schema(as = WantedReplay, example = json!({ "policy": { "blocked_keywords": ["project aurora"] }, "limit": 100 }))]
pub struct ReplayRequest {
    /// A draft: what a change (`PUT`) would carry. The stored policy without.
    #[schema(value_type = Option<Object>)]
    policy: Option<PolicyPatch>,
    /// Rows from this time on.
    #[schema(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// Rows before this time.
    #[schema(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
    /// Rows of this project; of all that the caller belongs to without.
    project: Option<Uuid>,
    /// Rows looked at, at most: 1 to 1000, 100 without.
    #[schema(value_type = Option<u16>, minimum = 1, maximum = 1000)]
    limit: u16,
    /// The `next_cursor` of an earlier answer.
    cursor: Option<Uuid>,
}

impl FromFields for ReplayRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
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

/// A draft that stands in a request.
pub(super) fn draft(value: &serde_json::Value) -> Result<PolicyPatch, Invalid> {
    Fields::of(value, "policy")?;
    PolicyPatch::read(value).map_err(|fault| fault.under("policy"))
}

fn time(fields: Fields<'_>, field: &str) -> Result<Option<Timestamp>, Invalid> {
    let parse = |text: &str| text.parse().map_err(|_| Invalid::value(field, TIME));
    fields.string(field)?.map(parse).transpose()
}

/// Replay stored requests under a draft
///
/// Judges what the log kept of earlier requests again, and answers row by row what would change. Texts are replayed as
/// they were kept: where personal data was masked in the log, the draft sees the marker, not the value. Nothing is
/// logged and nothing is charged. Needs `LOGS:VIEW_LOG` too; members see the rows of their projects.
#[utoipa::path(
    post, path = "/api/policy/{policyId}/replay", tag = "policies", operation_id = "policies_replay",
    params(("policyId" = Uuid, Path, description = "From its creation or the list")),
    request_body = ReplayRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "What would change", body = Replay),
        (status = 403, description = "A permission is missing, or not a member", body = ErrorBody),
        (status = 404, description = "No such policy, or no such project", body = ErrorBody),
        (status = 503, description = "Another replay is running, or the engine is busy", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    PathId(id): PathId,
    request: Request,
) -> Answer<Replay> {
    if !caller.permissions.contains(permission::VIEW_LOG) {
        return Err(Error::missing_permission(permission::VIEW_LOG));
    }
    let Body(wanted) = Body::<ReplayRequest>::from_request(request, &app).await?;
    let policy = stored(&app, &caller, id).await?;
    let rows = Rows {
        org_id: caller.org_id,
        policy: compiled(&app, &policy, wanted.policy.as_ref())?,
        filter: filter(&app, &caller, &wanted).await?,
        limit: wanted.limit,
        cursor: wanted.cursor,
    };
    let _turn = app.guard.replay_turn()?;
    rows.replay(&app).await.map(Json)
}

/// The stored policy, or the draft over it, ready to run.
pub(super) fn compiled(
    app: &App,
    policy: &Policy,
    draft: Option<&PolicyPatch>,
) -> Result<Arc<Compiled>, Error> {
    let Some(draft) = draft else { return app.guard.compiled(policy) };
    Ok(Arc::new(Compiled::compile(&draft.over(&read(&policy.content)?)?)?))
}

async fn filter(app: &App, caller: &Principal, wanted: &ReplayRequest) -> Result<LogFilter, Error> {
    if let Some(project) = wanted.project {
        may_see_project(app, caller, project).await?;
    }
    let ReplayRequest { from, to, project: project_id, .. } = *wanted;
    Ok(LogFilter { project_id, reader: log_scope(app, caller).await?, from, to, ..LogFilter::default() })
}
