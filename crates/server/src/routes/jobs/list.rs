use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::response::{JobRecord, scope};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, PageParameters, PageQuery},
};

/// A page of jobs.
#[derive(Debug, Serialize, ToSchema)]
pub struct Jobs {
    /// Newest first, without results.
    jobs: Vec<JobRecord>,
    /// `cursor` of the next page; null on the last page.
    next_cursor: Option<Uuid>,
}

/// List jobs
///
/// Newest first. Owners and admins see all jobs of the organization, others those that they or their API keys created.
#[utoipa::path(
    get, path = "/api/jobs", tag = "jobs", operation_id = "jobs_list",
    params(PageParameters),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of jobs", body = Jobs),
    )
)]
pub async fn handle(State(tenants): State<Tenants>, Caller(caller): Caller, page: PageQuery) -> Answer<Jobs> {
    let found = tenants.db.jobs(caller.org_id, scope(&caller), page.page()).await?;
    let jobs = found.rows.into_iter().map(JobRecord::from).collect();
    Ok(Json(Jobs { jobs, next_cursor: found.next }))
}
