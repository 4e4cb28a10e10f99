use axum::extract::State;
use guardengine_auth::project_access::log_scope;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::TicketFilter;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::response::TicketRecord;
use crate::{
    app::Tenants,
    http::{Answer, Caller, FromFields, Json, PageParameters, PageQuery, Query, optional_id},
};

const STATUSES: [(&str, &str); 4] =
    [("queued", "queued"), ("sent", "sent"), ("commented", "commented"), ("dead", "dead")];

/// Ticket filters.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TicketsQuery {
    #[param(ignore)]
    page: PageQuery<Uuid>,
    /// `queued`, `sent`, `commented` or `dead`. Default: all.
    #[param(value_type = Option<guardengine_api_types::choices::TicketStatus>, inline)]
    status: Option<&'static str>,
    /// Connector identifier.
    connector: Option<Uuid>,
}

impl FromFields for TicketsQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            page: PageQuery::from_fields(fields)?,
            status: fields.choice("status", &STATUSES)?,
            connector: optional_id(fields, "connector")?,
        })
    }
}

/// A page of tickets.
#[derive(Debug, Serialize, ToSchema)]
pub struct Tickets {
    /// Newest first.
    tickets: Vec<TicketRecord>,
    /// `cursor` of the next page; null on the last page.
    next_cursor: Option<Uuid>,
}

/// List tickets
///
/// Newest first. `status=dead` lists tickets that failed permanently, with the error. Owners and admins see all tickets
/// of the organization. Others see those of their projects, and those of their own requests without a project.
#[utoipa::path(
    get, path = "/api/tickets", tag = "tickets", operation_id = "tickets_list",
    params(PageParameters, TicketsQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of tickets", body = Tickets),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Query(TicketsQuery { page, status, connector }): Query<TicketsQuery>,
) -> Answer<Tickets> {
    let filter = TicketFilter {
        state: status,
        connector_id: connector,
        scope: log_scope(&tenants.db, &caller).await?,
    };
    let found = tenants.db.tickets(caller.org_id, &filter, page.page()).await?;
    let tickets = found.rows.into_iter().map(TicketRecord::from).collect();
    Ok(Json(Tickets { tickets, next_cursor: found.next }))
}
