use axum::extract::State;

use super::response::{stored, written};
use crate::{
    app::App,
    audit,
    http::{Answer, Error, ErrorBody, Json, MessageBody, PathId, Principal},
};

/// End a subscription
///
/// What was not told by then is not told any more.
#[utoipa::path(
    delete, path = "/api/events/subscriptions/{subscription_id}", tag = "events",
    operation_id = "event_subscriptions_delete",
    params(("subscription_id" = uuid::Uuid, Path, description = "From its creation or the list")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "It is gone", body = MessageBody),
        (status = 404, description = "No such subscription", body = ErrorBody),
    )
)]
pub async fn handle(State(app): State<App>, caller: Principal, PathId(id): PathId) -> Answer<MessageBody> {
    let details = written(&stored(&app, &caller, id).await?)?;
    let mut tx = audit::begin(&app).await?;
    if !tx.delete_event_subscription(caller.org_id, id).await? {
        return Err(Error::not_found("event subscription"));
    }
    audit::commit(tx, &caller, "CONNECTORS:DELETE_EVENT_SUBSCRIPTION", id, details).await?;
    Ok(Json(MessageBody::new("event subscription deleted")))
}
