use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;
use guardengine_store::Deleted;
use serde_json::json;

use crate::{
    app::Tenants,
    evaluation::actions,
    http::{Answer, Caller, Error, Json, MessageBody, PathId},
    routes::evaluation::access,
};

/// Delete a dataset
///
/// With its cases and the runs over it.
#[utoipa::path(
    delete, path = "/api/evaluation/datasets/{dataset_id}", tag = "evaluation",
    operation_id = "evaluation_datasets_delete",
    params(("dataset_id" = uuid::Uuid, Path, description = "Dataset identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Deleted", body = MessageBody),
        (status = 404, description = "Dataset not found", body = ErrorBody),
        (status = 409, description = "A run over the dataset is not finished", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<MessageBody> {
    let dataset = access::dataset(&tenants, &caller, id).await?;
    let mut tx = tenants.audited().await?;
    match tx.delete_evaluation_dataset(caller.org_id, id).await? {
        Deleted::Done => {
            let details = json!({ "name": dataset.name });
            audit::commit(tx, &caller, actions::DELETE_DATASET, id, details).await?;
            Ok(Json(MessageBody::new("dataset deleted")))
        }
        Deleted::Missing => Err(Error::not_found("dataset")),
        Deleted::InUse(_) => Err(Error::conflict("a run over the dataset is not finished, cancel it first")),
    }
}
