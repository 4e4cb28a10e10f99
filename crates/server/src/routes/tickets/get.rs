use axum::extract::State;

use super::response::{TicketRecord, seen_by};
use crate::{
    app::App,
    http::{Answer, ErrorBody, Json, PathId, Principal},
};

/// See a ticket
#[utoipa::path(
    get, path = "/api/tickets/{ticket_id}", tag = "tickets", operation_id = "tickets_get",
    params(("ticket_id" = uuid::Uuid, Path, description = "From a decision or the list")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The ticket", body = TicketRecord),
        (status = 404, description = "No such ticket, or none that the caller may see", body = ErrorBody),
    )
)]
pub async fn handle(State(app): State<App>, caller: Principal, PathId(id): PathId) -> Answer<TicketRecord> {
    Ok(Json(seen_by(&app, &caller, id).await?.into()))
}
