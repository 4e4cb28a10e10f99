use axum::extract::State;
use guardengine_api_types::ErrorBody;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    app::Tenants,
    evaluation::report::EvaluationReport,
    http::{Answer, Caller, Json, PathId},
    routes::evaluation::{access, response::RunRecord},
};

/// A run with its report.
#[derive(Debug, Serialize, ToSchema)]
pub struct RunWithReport {
    #[serde(flatten)]
    run: RunRecord,
    /// Null before the run is done.
    report: Option<EvaluationReport>,
}

/// Get a run
///
/// Its status and progress, and its report once it is done.
#[utoipa::path(
    get, path = "/api/evaluation/runs/{run_id}", tag = "evaluation", operation_id = "evaluation_runs_get",
    params(("run_id" = uuid::Uuid, Path, description = "Run identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The run", body = RunWithReport),
        (status = 404, description = "Run not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<RunWithReport> {
    let run = access::run(&tenants, &caller, id).await?;
    let report = access::report(&run)?;
    Ok(Json(RunWithReport { run: run.into(), report }))
}
