use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;
use serde_json::json;

use crate::{
    app::Tenants,
    evaluation::actions,
    http::{Answer, Caller, Error, Json, MessageBody, PathId},
    routes::evaluation::access,
};

/// Delete a run
///
/// With its results. A run that is not finished must be canceled first.
#[utoipa::path(
    delete, path = "/api/evaluation/runs/{run_id}", tag = "evaluation", operation_id = "evaluation_runs_delete",
    params(("run_id" = uuid::Uuid, Path, description = "Run identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Deleted", body = MessageBody),
        (status = 404, description = "Run not found", body = ErrorBody),
        (status = 409, description = "The run is not finished", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<MessageBody> {
    let run = access::run(&tenants, &caller, id).await?;
    let mut tx = tenants.audited().await?;
    if !tx.delete_evaluation_run(caller.org_id, id).await? {
        return Err(Error::conflict("the run is not finished, cancel it first"));
    }
    let details = json!({ "policy": run.policy_name });
    audit::commit(tx, &caller, actions::DELETE_RUN, id, details).await?;
    Ok(Json(MessageBody::new("run deleted")))
}
