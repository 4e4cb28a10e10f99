use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;

use super::response::{stored, written};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, MessageBody, PathId},
};

/// Delete a subscription
///
/// Events that were not delivered yet are dropped.
#[utoipa::path(
    delete, path = "/api/events/subscriptions/{subscription_id}", tag = "events",
    operation_id = "event_subscriptions_delete",
    params(("subscription_id" = uuid::Uuid, Path, description = "Subscription identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Deleted", body = MessageBody),
        (status = 404, description = "Subscription not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<MessageBody> {
    let details = written(&stored(&tenants, &caller, id).await?)?;
    let mut tx = tenants.audited().await?;
    if !tx.delete_event_subscription(caller.org_id, id).await? {
        return Err(Error::not_found("event subscription"));
    }
    audit::commit(tx, &caller, "CONNECTORS:DELETE_EVENT_SUBSCRIPTION", id, details).await?;
    Ok(Json(MessageBody::new("event subscription deleted")))
}
