//! Tickets: what decisions raise in other systems, and what became of that.

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::id::least_id;
use crate::name::storable;
use crate::tx::Tx;
use crate::{Db, Log, LogReader, Page, Paged, Result, Timestamp};

const FORGOTTEN_AT_ONCE: i64 = 500;

/// A ticket that a decision asks for. Whose it is, its row tells.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub struct NewTicket {
    /// Its id, and the key under which it is sent once: see [`crate::new_id`].
    pub id: Uuid,
    /// Where it is raised.
    pub connector_id: Uuid,
    /// That connector's type.
    pub system: String,
    /// Wire name of the guardrail that triggered.
    pub guardrail: String,
    /// The same for the same guardrail, end user and connector.
    pub likeness: [u8; 32],
    /// It comments on the newest ticket that is alike, not closed and not older than this; else it is one of its own.
    pub joins_since: Timestamp,
    /// In one line.
    pub title: String,
    /// What is to be sent.
    pub content: String,
}

/// A ticket, or a comment on one.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Ticket {
    /// Its organisation.
    pub org_id: Uuid,
    /// Its id.
    pub id: Uuid,
    /// When the decision was made.
    pub created_at: Timestamp,
    /// The row of the decision, which may be gone by now.
    pub log_id: Uuid,
    /// The project, which may be gone by now.
    pub project_id: Option<Uuid>,
    /// Who called.
    pub principal: String,
    /// The connector, which may be gone by now.
    pub connector_id: Uuid,
    /// That connector's type.
    pub system: String,
    /// Wire name of the guardrail that triggered.
    pub guardrail: String,
    /// The ticket that it comments on; `None` for one of its own.
    pub parent_id: Option<Uuid>,
    /// In one line.
    pub title: String,
    /// What is to be sent; empty once it is.
    pub content: String,
    /// `queued`, `sent`, `commented` or `dead`.
    pub state: String,
    /// Attempts that were begun.
    pub attempts: i64,
    /// Attempts that count towards giving up.
    pub failures: i64,
    /// A queued one is left alone until then.
    pub next_attempt_at: Timestamp,
    /// What the other system calls it in its own interface.
    pub external_id: Option<String>,
    /// What people call it there.
    pub external_key: Option<String>,
    /// Where people find it.
    pub external_url: Option<String>,
    /// Why the last attempt failed, for people.
    pub last_error: Option<String>,
    /// When its state or its attempts changed last.
    pub updated_at: Timestamp,
}

/// Which tickets; what is `None` does not narrow them.
#[derive(Clone, Debug, Default)]
pub struct TicketFilter {
    /// In that state.
    pub state: Option<&'static str>,
    /// Of that connector.
    pub connector_id: Option<Uuid>,
    /// That this one may see.
    pub reader: Option<LogReader>,
}

macro_rules! ticket_columns {
    () => {
        "org_id, id, created_at, log_id, project_id, principal, connector_id, system, guardrail, parent_id, title, content,
         state, attempts, failures, next_attempt_at, external_id, external_key, external_url, last_error, updated_at"
    };
}
pub(crate) use ticket_columns;

impl Tx {
    /// The organisation's row is locked while a decision is kept: of two that are alike, the second sees the first.
    pub(crate) async fn insert_ticket(&mut self, log: &Log, ticket: &NewTicket) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(
            "INSERT INTO tickets (org_id, id, created_at, log_id, project_id, principal, connector_id, system, guardrail,
             likeness, parent_id, closed, title, content, state, attempts, failures, next_attempt_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
                 (SELECT id FROM tickets WHERE org_id = $1 AND likeness = $10 AND parent_id IS NULL AND NOT closed
                  AND state <> 'dead' AND created_at >= $11 ORDER BY id DESC LIMIT 1),
                 FALSE, $12, $13, 'queued', 0, 0, $3, $3)",
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
        if let Some(reader) = &self.reader {
            reader.narrow(query);
        }
    }
}

impl Db {
    /// The ticket with that id.
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

    /// A page of tickets, newest first.
    pub async fn tickets(&self, org_id: Uuid, filter: &TicketFilter, page: Page) -> Result<Paged<Ticket>> {
        let rows = on!(self.reader(), |pool| {
            let mut query =
                QueryBuilder::new(concat!("SELECT ", ticket_columns!(), " FROM tickets WHERE org_id = "));
            query.push_bind(org_id).push(" AND id < ").push_bind(page.before());
            filter.narrow(&mut query);
            query.push(" ORDER BY id DESC LIMIT ").push_bind(page.reach());
            query.build_query_as().persistent(false).fetch_all(pool).await?
        });
        Ok(page.cut(rows, |ticket: &Ticket| ticket.id))
    }

    /// Forgets some of an organisation's tickets from before that time that are not queued; answers how many.
    /// A few at a time: others write in between.
    pub async fn forget_tickets_before(&self, org_id: Uuid, time: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "DELETE FROM tickets WHERE org_id = $1 AND id IN (
                 SELECT id FROM tickets WHERE org_id = $1 AND id < $2 AND state <> 'queued' ORDER BY id LIMIT $3)",
            )
            .bind(org_id)
            .bind(least_id(time))
            .bind(FORGOTTEN_AT_ONCE)
            .execute(pool)
            .await?
            .rows_affected()
        }))
    }
}
