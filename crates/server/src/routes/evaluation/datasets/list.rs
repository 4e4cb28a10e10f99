use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, PageParameters, PageQuery},
    routes::evaluation::response::DatasetRecord,
};

/// A page of datasets.
#[derive(Debug, Serialize, ToSchema)]
pub struct Datasets {
    /// Newest first.
    datasets: Vec<DatasetRecord>,
    /// `cursor` of the next page; null on the last page.
    next_cursor: Option<Uuid>,
}

/// List datasets
#[utoipa::path(
    get, path = "/api/evaluation/datasets", tag = "evaluation", operation_id = "evaluation_datasets_list",
    params(PageParameters),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of datasets", body = Datasets),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    page: PageQuery,
) -> Answer<Datasets> {
    let found = tenants.db.evaluation_datasets(caller.org_id, page.page()).await?;
    let datasets = found.rows.into_iter().map(DatasetRecord::from).collect();
    Ok(Json(Datasets { datasets, next_cursor: found.next }))
}
