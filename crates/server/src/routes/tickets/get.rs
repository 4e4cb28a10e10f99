use axum::extract::State;
use guardengine_api_types::ErrorBody;

use super::response::{TicketRecord, seen_by};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, PathId},
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
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<TicketRecord> {
    Ok(Json(seen_by(&tenants, &caller, id).await?.into()))
}
