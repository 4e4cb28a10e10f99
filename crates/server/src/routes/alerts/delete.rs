use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;

use super::response::{stored, written};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, MessageBody, PathId},
};

/// Delete an alert rule
///
/// Its messages are deleted with it, also those that were not sent yet.
#[utoipa::path(
    delete, path = "/api/alerts/{alert_id}", tag = "alerts", operation_id = "alerts_delete",
    params(("alert_id" = uuid::Uuid, Path, description = "Alert identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Deleted", body = MessageBody),
        (status = 404, description = "Alert not found, or not visible to the caller", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<MessageBody> {
    let details = written(&stored(&tenants, &caller, id).await?)?;
    let mut tx = tenants.audited().await?;
    if !tx.delete_alert_rule(caller.org_id, id).await? {
        return Err(Error::not_found("alert"));
    }
    audit::commit(tx, &caller, "CONNECTORS:DELETE_ALERT", id, details).await?;
    Ok(Json(MessageBody::new("alert deleted")))
}
