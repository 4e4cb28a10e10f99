use axum::extract::State;
use guardengine_api_types::{ErrorBody, rounded};
use guardengine_auth::{permission, project_access::log_scope};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_guard::Guard;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use crate::{
    app::Tenants,
    evaluation::sweep::{Logged, SweepPoint, TRAFFIC, WINDOW, points},
    http::{Answer, Caller, Error, FromFields, Json, PathId, Query},
    routes::{evaluation::access, logs::filter::guardrail},
};

/// Guardrail of a sweep.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SweepQuery {
    /// Guardrail of the policy version.
    #[param(value_type = crate::schemas::GuardrailName, inline)]
    guardrail: String,
}

impl FromFields for SweepQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { guardrail: guardrail(fields)?.ok_or_else(|| FieldError::required("guardrail"))? })
    }
}

/// Rates of a guardrail at each threshold.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sweep {
    #[schema(value_type = crate::schemas::GuardrailName)]
    guardrail: String,
    /// Threshold in the policy version.
    threshold: f64,
    /// Thresholds in ascending order.
    points: Vec<SweepPoint>,
    /// Log entries under the policy in which the guardrail ran: the last 1,000 that the caller sees, among the newest
    /// 20,000 of the organization.
    traffic: usize,
}

/// Get the threshold sweep of a guardrail
///
/// Recall and false positive rate at each threshold from the scores of the run, and how many of the last log entries under
/// the policy would change. Also needs `LOGS:VIEW_LOG`.
#[utoipa::path(
    get, path = "/api/evaluation/runs/{run_id}/sweep", tag = "evaluation", operation_id = "evaluation_runs_sweep",
    params(("run_id" = uuid::Uuid, Path, description = "Run identifier"), SweepQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The sweep", body = Sweep),
        (status = 404, description = "Run not found, or the policy version does not have the guardrail", body = ErrorBody),
        (status = 409, description = "The run is not done", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Query(SweepQuery { guardrail }): Query<SweepQuery>,
) -> Answer<Sweep> {
    caller.needs(permission::VIEW_LOG)?;
    let (run, report, results) = access::finished(&tenants, &caller, id).await?;
    let known = report.guardrails.iter().find(|one| one.guardrail == guardrail);
    let threshold = rounded(known.ok_or_else(|| Error::not_found("guardrail"))?.threshold);
    let scope = log_scope(&tenants.db, &caller).await?;
    let logged = tenants.db.logged_scores(caller.org_id, run.policy_id, WINDOW, TRAFFIC).await?;
    let visible = logged
        .into_iter()
        .filter(|one| scope.as_ref().is_none_or(|scope| scope.includes_call(one.project_id, one.user_id)));
    let traffic: Vec<_> = visible.filter_map(|one| Logged::of(&one.confidences, &guardrail)).collect();
    let (entries, name) = (traffic.len(), guardrail.clone());
    let points = guard.compile_draft(caller.org_id, move || points(&results, &name, &traffic)).await?;
    Ok(Json(Sweep { guardrail, threshold, points, traffic: entries }))
}
