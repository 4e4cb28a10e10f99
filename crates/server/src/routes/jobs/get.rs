use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_guard::Guard;

use super::response::{JobWithResult, seen_by};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, PathId},
};

/// Get a job
///
/// Its status and progress, and the decision once it is done. Creators see their jobs, owners and admins all jobs of the
/// organization. A job is deleted 24 hours after its end.
#[utoipa::path(
    get, path = "/api/jobs/{job_id}", tag = "jobs", operation_id = "jobs_get",
    params(("job_id" = uuid::Uuid, Path, description = "Job identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The job", body = JobWithResult),
        (status = 404, description = "Job not found, or not visible to the caller", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<JobWithResult> {
    let job = seen_by(&tenants, &caller, id).await?;
    let result = guard.job_result(&job).await?;
    Ok(Json(JobWithResult::of(job, result)?))
}
