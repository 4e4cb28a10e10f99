//! The ticket object of responses, and its visibility.

use guardengine_auth::{Principal, project_access::log_scope};
use guardengine_store::{Ticket, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{app::Tenants, http::Error};

/// A ticket created for a decision, or a comment on one.
#[derive(Debug, Serialize, ToSchema)]
pub struct TicketRecord {
    ticket_id: Uuid,
    /// `queued`, `sent`, `commented` (added as a comment to another ticket) or `dead` (failed permanently).
    #[schema(value_type = guardengine_api_types::choices::TicketStatus)]
    status: String,
    connector_id: Uuid,
    /// Connector type.
    system: String,
    /// Key in the ticket system; null before it is sent or if the system has none.
    key: Option<String>,
    /// URL in the ticket system.
    url: Option<String>,
    title: String,
    /// Guardrail that triggered.
    guardrail: String,
    /// Log entry of the decision.
    log_id: Uuid,
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
    /// Ticket that this is a comment on; null for a separate ticket.
    comments_on: Option<Uuid>,
    /// Number of delivery attempts.
    attempts: i64,
    /// Time of the next attempt; null unless queued.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_attempt_at: Option<Timestamp>,
    /// Error of the last attempt.
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

/// Returns a ticket whose log entry the caller may see, or 404.
pub async fn seen_by(tenants: &Tenants, caller: &Principal, id: Uuid) -> Result<Ticket, Error> {
    let not_found = || Error::not_found("ticket");
    let ticket = tenants.db.ticket(caller.org_id, id).await?.ok_or_else(not_found)?;
    let reader = log_scope(&tenants.db, caller).await?;
    let may_see = reader.is_none_or(|reader| reader.includes_call(ticket.project_id, ticket.user_id));
    if may_see { Ok(ticket) } else { Err(not_found()) }
}
