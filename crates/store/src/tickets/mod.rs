//! Tickets that decisions create in third-party systems, and their delivery state.

mod queue;

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::db::Tx;
use crate::id::least_id;
use crate::name::storable;
use crate::{Db, LogEntry, LogScope, Page, Paged, Result, Timestamp};

pub use queue::{ExternalTicket, RetryLater};

const DELETE_BATCH: i64 = 500;

/// A ticket to create. Its principal is in the log entry.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub struct NewTicket {
    /// Identifier, and the key under which it is sent once: see [`crate::new_id`].
    pub id: Uuid,
    /// Connector of the target system.
    pub connector_id: Uuid,
    /// Type of that connector.
    pub system: String,
    /// Wire name of the guardrail that triggered.
    pub guardrail: String,
    /// Digest that similar tickets share: same guardrail, end user and connector.
    pub likeness: [u8; 32],
    /// Becomes a comment on the newest similar open ticket since this time, or else a ticket of its own.
    pub joins_since: Timestamp,
    /// Title, one line.
    pub title: String,
    /// Content to send.
    pub content: String,
}

/// A ticket, or a comment on one.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Ticket {
    /// Organization.
    pub org_id: Uuid,
    /// Identifier.
    pub id: Uuid,
    /// Time of the decision.
    pub created_at: Timestamp,
    /// Log entry of the decision, possibly deleted.
    pub log_id: Uuid,
    /// Project, possibly deleted.
    pub project_id: Option<Uuid>,
    /// Caller.
    pub principal: String,
    /// User behind the call, as in [`LogEntry::user_id`].
    pub user_id: Option<Uuid>,
    /// Connector, possibly deleted.
    pub connector_id: Uuid,
    /// Type of that connector.
    pub system: String,
    /// Wire name of the guardrail that triggered.
    pub guardrail: String,
    /// Ticket that it comments on; `None` for a ticket of its own.
    pub parent_id: Option<Uuid>,
    /// Title, one line.
    pub title: String,
    /// Content to send; empty once sent.
    pub content: String,
    /// `queued`, `sent`, `commented` or `dead`.
    pub state: String,
    /// Number of attempts started.
    pub attempts: i64,
    /// Number of attempts that count toward giving up.
    pub failures: i64,
    /// Time of the next attempt.
    pub next_attempt_at: Timestamp,
    /// Identifier in the third-party system's API.
    pub external_id: Option<String>,
    /// Key shown to that system's users.
    pub external_key: Option<String>,
    /// URL for its users.
    pub external_url: Option<String>,
    /// Error message of the last failed attempt.
    pub last_error: Option<String>,
    /// Time of the last change of state or attempt.
    pub updated_at: Timestamp,
}

/// Filter for tickets. `None` does not restrict.
#[derive(Clone, Debug, Default)]
pub struct TicketFilter {
    /// Only this state.
    pub state: Option<&'static str>,
    /// Only this connector.
    pub connector_id: Option<Uuid>,
    /// Only what this scope may see.
    pub scope: Option<LogScope>,
}

macro_rules! ticket_columns {
    () => {
        "org_id, id, created_at, log_id, project_id, principal, user_id, connector_id, system, guardrail, parent_id, title,
         content,
         state, attempts, failures, next_attempt_at, external_id, external_key, external_url, last_error, updated_at"
    };
}
pub(crate) use ticket_columns;

impl Tx {
    /// Inserts a ticket. The organization's row is locked meanwhile: of two similar tickets, the second sees the
    /// first.
    pub(crate) async fn insert_ticket(&mut self, log: &LogEntry, ticket: &NewTicket) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO tickets (org_id, id, created_at, log_id, project_id, principal, connector_id, system, guardrail,
                 likeness, parent_id, closed, title, content, state, attempts, failures, next_attempt_at, updated_at,
                 user_id)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
                     (SELECT id FROM tickets WHERE org_id = $1 AND likeness = $10 AND parent_id IS NULL AND NOT closed
                      AND state <> 'dead' AND created_at >= $11 ORDER BY id DESC LIMIT 1),
                     FALSE, $12, $13, 'queued', 0, 0, $3, $3, $14)",
            )
            .bind(log.org_id)
            .bind(ticket.id)
            .bind(log.created_at)
            .bind(log.id)
            .bind(log.project_id)
            .bind(storable(&log.principal))
            .bind(ticket.connector_id)
            .bind(&ticket.system)
            .bind(&ticket.guardrail)
            .bind(&ticket.likeness[..])
            .bind(ticket.joins_since)
            .bind(storable(&ticket.title))
            .bind(storable(&ticket.content))
            .bind(log.user_id)
            .execute(c)
            .await?;
        });
        Ok(())
    }
}

impl TicketFilter {
    fn narrow<DB: Database>(&self, query: &mut QueryBuilder<DB>)
    where
        for<'q> Uuid: Encode<'q, DB> + Type<DB>,
        for<'q> String: Encode<'q, DB> + Type<DB>,
        for<'q> &'q str: Encode<'q, DB> + Type<DB>,
    {
        if let Some(state) = self.state {
            query.push(" AND state = ").push_bind(state);
        }
        if let Some(connector) = self.connector_id {
            query.push(" AND connector_id = ").push_bind(connector);
        }
        if let Some(scope) = &self.scope {
            scope.narrow(query);
        }
    }
}

impl Db {
    /// Returns the ticket with that identifier.
    pub async fn ticket(&self, org_id: Uuid, id: Uuid) -> Result<Option<Ticket>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                ticket_columns!(),
                " FROM tickets WHERE org_id = $1 AND id = $2"
            ))
            .bind(org_id)
            .bind(id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Lists tickets, newest first.
    pub async fn tickets(&self, org_id: Uuid, filter: &TicketFilter, page: Page) -> Result<Paged<Ticket>> {
        let rows = on!(self.reader(), |pool| {
            let mut query =
                QueryBuilder::new(concat!("SELECT ", ticket_columns!(), " FROM tickets WHERE org_id = "));
            query.push_bind(org_id).push(" AND id < ").push_bind(page.upper_bound());
            filter.narrow(&mut query);
            query.push(" ORDER BY id DESC LIMIT ").push_bind(page.limit_plus_one());
            query.build_query_as().persistent(false).fetch_all(pool).await?
        });
        Ok(page.finish(rows, |ticket: &Ticket| ticket.id))
    }

    /// Deletes some of an organization's tickets before that time that are not queued and returns how many. Works in
    /// small batches, so that others can write in between.
    pub async fn delete_tickets_before(&self, org_id: Uuid, time: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "DELETE FROM tickets WHERE org_id = $1 AND id IN (
                 SELECT id FROM tickets WHERE org_id = $1 AND id < $2 AND state <> 'queued' ORDER BY id LIMIT $3)",
            )
            .bind(org_id)
            .bind(least_id(time))
            .bind(DELETE_BATCH)
            .execute(pool)
            .await?
            .rows_affected()
        }))
    }
}
