use axum::extract::State;

use super::response::{TicketRecord, seen_by};
use crate::{
    app::App,
    http::{Answer, ErrorBody, Json, PathId, Principal},
};

/// Get a ticket
#[utoipa::path(
    get, path = "/api/tickets/{ticket_id}", tag = "tickets", operation_id = "tickets_get",
    params(("ticket_id" = uuid::Uuid, Path, description = "Ticket identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The ticket", body = TicketRecord),
        (status = 404, description = "Ticket not found, or not visible to the caller", body = ErrorBody),
    )
)]
pub async fn handle(State(app): State<App>, caller: Principal, PathId(id): PathId) -> Answer<TicketRecord> {
    Ok(Json(seen_by(&app, &caller, id).await?.into()))
}
