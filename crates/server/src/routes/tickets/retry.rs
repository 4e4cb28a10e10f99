use axum::extract::State;
use serde_json::json;

use super::response::{TicketRecord, seen_by};
use crate::{
    app::App,
    audit,
    http::{Answer, Error, ErrorBody, Json, PathId, Principal},
};

/// Try a dead ticket again
///
/// It is sent as it was written, as soon as it is its turn; with it go the comments that died with it, and with a comment the
/// ticket that it is on.
#[utoipa::path(
    post, path = "/api/tickets/{ticket_id}/retry", tag = "tickets", operation_id = "tickets_retry",
    params(("ticket_id" = uuid::Uuid, Path, description = "From the list")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The ticket, queued", body = TicketRecord),
        (status = 404, description = "No such ticket, or none that the caller may see", body = ErrorBody),
        (status = 409, description = "It is not dead", body = ErrorBody),
    )
)]
pub async fn handle(State(app): State<App>, caller: Principal, PathId(id): PathId) -> Answer<TicketRecord> {
    seen_by(&app, &caller, id).await?;
    let mut tx = audit::begin(&app).await?;
    let taken_up = tx.retry_ticket(caller.org_id, id, app.clock.now()).await?;
    let ticket = taken_up.ok_or_else(|| Error::conflict("ticket is not dead"))?;
    let details = json!({ "connector_id": ticket.connector_id, "last_error": ticket.last_error });
    audit::commit(tx, &caller, "CONNECTORS:RETRY_TICKET", id, details).await?;
    Ok(Json(ticket.into()))
}
