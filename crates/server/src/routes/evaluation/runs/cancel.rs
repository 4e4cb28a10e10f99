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

/// Cancel a run
#[utoipa::path(
    post, path = "/api/evaluation/runs/{run_id}/cancel", tag = "evaluation",
    operation_id = "evaluation_runs_cancel",
    params(("run_id" = uuid::Uuid, Path, description = "Run identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Cancelled", body = MessageBody),
        (status = 404, description = "Run not found", body = ErrorBody),
        (status = 409, description = "The run is finished", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<MessageBody> {
    let run = access::run(&tenants, &caller, id).await?;
    let mut tx = tenants.audited().await?;
    if !tx.cancel_evaluation_run(caller.org_id, id, tenants.clock.now()).await? {
        return Err(Error::conflict("the run is finished"));
    }
    let details = json!({ "policy": run.policy_name });
    audit::commit(tx, &caller, actions::CANCEL_RUN, id, details).await?;
    Ok(Json(MessageBody::new("run canceled")))
}
