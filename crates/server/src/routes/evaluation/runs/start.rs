use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{EvaluationRun, StartedRun, new_id};
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::Tenants,
    evaluation::{MAX_OPEN_RUNS, MAX_RUNS, actions, runner::Evaluations},
    http::{Answer, Body, Caller, Error, FromFields, Json, optional_id},
    routes::{
        evaluation::{access, response::RunRecord},
        policies::response::stored,
    },
};

/// Dataset and policy version of a run.
#[derive(Debug, ToSchema)]
pub struct NewRun {
    dataset_id: Uuid,
    #[serde(rename = "policyId")]
    policy_id: Uuid,
    /// Version of the policy. Default: the current one.
    #[schema(minimum = 1)]
    policy_version: Option<i64>,
}

impl FromFields for NewRun {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let id = |field| optional_id(fields, field)?.ok_or_else(|| FieldError::required(field));
        Ok(Self {
            dataset_id: id("dataset_id")?,
            policy_id: id("policyId")?,
            policy_version: fields.integer("policy_version", 1..=i64::MAX)?,
        })
    }
}

/// Start a run
///
/// Evaluates every case of a dataset under a policy version in the background, one at a time, while no request needs the
/// processor. A run is not charged and not logged. An organization has one running, and at most 10 that are not finished.
#[utoipa::path(
    post, path = "/api/evaluation/runs", tag = "evaluation", operation_id = "evaluation_runs_start",
    request_body = NewRun,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The queued run", body = RunRecord),
        (status = 404, description = "Dataset, policy or version not found", body = ErrorBody),
        (status = 409, description = "The organization has too many runs", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(evaluations): State<Evaluations>,
    Caller(caller): Caller,
    Body(asked): Body<NewRun>,
) -> Answer<RunRecord> {
    let dataset = access::dataset(&tenants, &caller, asked.dataset_id).await?;
    let policy = stored(&tenants, &caller, asked.policy_id).await?;
    let version = asked.policy_version.unwrap_or(policy.version);
    let found = tenants.db.policy_version(caller.org_id, policy.id, version).await?;
    let version = found.ok_or_else(|| Error::not_found("policy version"))?;
    let now = tenants.clock.now();
    let run = EvaluationRun {
        id: new_id(now),
        org_id: caller.org_id,
        dataset_id: dataset.id,
        created_at: now,
        user_id: caller.user_id,
        principal: caller.principal_name(),
        policy_id: policy.id,
        policy_name: version.name,
        policy_version: version.version,
        cases: dataset.cases,
        state: "queued".to_owned(),
        position: 0,
        attempts: 0,
        runner: None,
        finished_at: None,
        error: None,
        result: None,
    };
    let mut tx = tenants.audited().await?;
    match tx.start_evaluation_run(&run, MAX_RUNS, MAX_OPEN_RUNS).await? {
        StartedRun::Done => {}
        StartedRun::Missing => return Err(Error::not_found("dataset")),
        StartedRun::TooMany => {
            return Err(Error::conflict(format!(
                "the organization has {MAX_RUNS} runs or {MAX_OPEN_RUNS} that are not finished, delete or cancel one first"
            )));
        }
    }
    let details = json!({
        "dataset": dataset.name, "policy": run.policy_name,
        "version": run.policy_version,
    });
    audit::commit(tx, &caller, actions::START_RUN, run.id, details).await?;
    evaluations.notify();
    Ok(Json(run.into()))
}
