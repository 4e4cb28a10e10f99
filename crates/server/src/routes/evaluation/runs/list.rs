use axum::extract::State;
use guardengine_engine::fields::{FieldError, Fields};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::{Answer, Caller, FromFields, Json, PageParameters, PageQuery, Query, optional_id},
    routes::evaluation::response::RunRecord,
};

/// Filter of runs.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RunFilter {
    /// Only runs over this dataset.
    dataset: Option<Uuid>,
}

impl FromFields for RunFilter {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { dataset: optional_id(fields, "dataset")? })
    }
}

/// A page of runs.
#[derive(Debug, Serialize, ToSchema)]
pub struct Runs {
    /// Newest first, without reports.
    runs: Vec<RunRecord>,
    /// `cursor` of the next page; null on the last page.
    next_cursor: Option<Uuid>,
}

/// List runs
#[utoipa::path(
    get, path = "/api/evaluation/runs", tag = "evaluation", operation_id = "evaluation_runs_list",
    params(RunFilter, PageParameters),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of runs", body = Runs),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Query(filter): Query<RunFilter>,
    page: PageQuery,
) -> Answer<Runs> {
    let found = tenants.db.evaluation_runs(caller.org_id, filter.dataset, page.page()).await?;
    let runs = found.rows.into_iter().map(RunRecord::from).collect();
    Ok(Json(Runs { runs, next_cursor: found.next }))
}
