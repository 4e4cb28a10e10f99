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
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "A permission is missing", body = ErrorBody),
        (status = 404, description = "No such ticket, or none that the caller may see", body = ErrorBody),
        (status = 413, description = "Body too large", body = ErrorBody),
        (status = 422, description = "Not an id", body = ErrorBody),
        (status = 429, description = "Rate limit", body = ErrorBody),
    )
)]
pub async fn handle(State(app): State<App>, caller: Principal, PathId(id): PathId) -> Answer<TicketRecord> {
    Ok(Json(seen_by(&app, &caller, id).await?.into()))
}
