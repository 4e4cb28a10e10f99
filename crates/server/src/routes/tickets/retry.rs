use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;
use serde_json::json;

use super::response::{TicketRecord, seen_by};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, PathId},
};

/// Retry a dead ticket
///
/// Queues the ticket unchanged, together with its dead comments. A retried comment also retries its ticket.
#[utoipa::path(
    post, path = "/api/tickets/{ticket_id}/retry", tag = "tickets", operation_id = "tickets_retry",
    params(("ticket_id" = uuid::Uuid, Path, description = "Ticket identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The queued ticket", body = TicketRecord),
        (status = 404, description = "Ticket not found, or not visible to the caller", body = ErrorBody),
        (status = 409, description = "The ticket is not dead", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<TicketRecord> {
    seen_by(&tenants, &caller, id).await?;
    let mut tx = tenants.audited().await?;
    let taken_up = tx.retry_ticket(caller.org_id, id, tenants.clock.now()).await?;
    let ticket = taken_up.ok_or_else(|| Error::conflict("ticket is not dead"))?;
    let details = json!({ "connector_id": ticket.connector_id, "last_error": ticket.last_error });
    audit::commit(tx, &caller, "CONNECTORS:RETRY_TICKET", id, details).await?;
    Ok(Json(ticket.into()))
}
