use axum::extract::State;
use guardengine_api_types::ErrorBody;

use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, PathId},
    routes::evaluation::{access, response::DatasetRecord},
};

/// Get a dataset
#[utoipa::path(
    get, path = "/api/evaluation/datasets/{dataset_id}", tag = "evaluation",
    operation_id = "evaluation_datasets_get",
    params(("dataset_id" = uuid::Uuid, Path, description = "Dataset identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The dataset", body = DatasetRecord),
        (status = 404, description = "Dataset not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<DatasetRecord> {
    Ok(Json(access::dataset(&tenants, &caller, id).await?.into()))
}
