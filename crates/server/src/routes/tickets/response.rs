//! A ticket as it is answered, and who may see it.

use guardengine_store::{Ticket, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    http::{Error, Principal},
    project_access::log_scope,
};

/// A ticket that a decision asked for, or a comment on one.
#[derive(Debug, Serialize, ToSchema)]
pub struct TicketRecord {
    ticket_id: Uuid,
    /// `queued`, `sent`, `commented` (it stands as a comment on another ticket) or `dead` (given up).
    status: String,
    connector_id: Uuid,
    /// The connector's type.
    system: String,
    /// Its name there; null before it is sent, and where the system has none.
    key: Option<String>,
    /// Its page there.
    url: Option<String>,
    title: String,
    /// What triggered.
    guardrail: String,
    /// The row of the decision in the log.
    log_id: Uuid,
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
    /// The ticket that it comments on; null for one of its own.
    comments_on: Option<Uuid>,
    /// Attempts to send it.
    attempts: i64,
    /// When it is tried next; null unless it is queued.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_attempt_at: Option<Timestamp>,
    /// Why the last attempt failed.
    last_error: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl From<Ticket> for TicketRecord {
    fn from(ticket: Ticket) -> Self {
        let is_queued = ticket.state == "queued";
        Self {
            ticket_id: ticket.id,
            status: ticket.state,
            connector_id: ticket.connector_id,
            system: ticket.system,
            key: ticket.external_key,
            url: ticket.external_url,
            title: ticket.title,
            guardrail: ticket.guardrail,
            log_id: ticket.log_id,
            project_id: ticket.project_id,
            comments_on: ticket.parent_id,
            attempts: ticket.attempts,
            next_attempt_at: is_queued.then_some(ticket.next_attempt_at),
            last_error: ticket.last_error,
            created_at: ticket.created_at,
            updated_at: ticket.updated_at,
        }
    }
}

/// A ticket whose row the caller may see; every other one is not there for them.
pub async fn seen_by(app: &App, caller: &Principal, id: Uuid) -> Result<Ticket, Error> {
    let not_found = || Error::not_found("ticket");
    let ticket = app.db.ticket(caller.org_id, id).await?.ok_or_else(not_found)?;
    let reader = log_scope(app, caller).await?;
    let may_see = reader.is_none_or(|reader| reader.may_see_of(ticket.project_id, &ticket.principal));
    if may_see { Ok(ticket) } else { Err(not_found()) }
}
