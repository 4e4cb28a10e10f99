//! The queue of tickets: claimed by one replica at a time, then completed, rescheduled or failed.
//!
//! A claim is a lease: its holder has until its end to record the outcome. Every change names its claim, so that one
//! that comes too late changes nothing.

use uuid::Uuid;

use super::ticket_columns;
use crate::db::Tx;
use crate::name::storable;
use crate::{Db, Result, Ticket, Timestamp};

/// A ticket in the third-party system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExternalTicket {
    /// Identifier in that system's API.
    pub id: Option<String>,
    /// Key shown to its users.
    pub key: Option<String>,
    /// URL for its users.
    pub url: Option<String>,
}

/// A failed attempt and its retry time.
#[derive(Clone, Copy, Debug)]
pub struct RetryLater<'a> {
    /// Time of the next attempt.
    pub retry_at: Timestamp,
    /// Error message.
    pub error: &'a str,
    /// True if the failure counts toward giving up.
    pub counts: bool,
}

/// Error of a comment whose ticket was given up.
const ORPHAN: &str = "the ticket to comment on was not created";

impl Tx {
    /// Queues a dead ticket again, with the dead ticket that it comments on, and the dead comments on it. Returns
    /// `None` unless it is dead.
    pub async fn retry_ticket(&mut self, org_id: Uuid, id: Uuid, now: Timestamp) -> Result<Option<Ticket>> {
        let queued: Vec<Ticket> = on!(self.connection(), |c| {
            sqlx::query_as(concat!(
                "UPDATE tickets SET state = 'queued', failures = 0, next_attempt_at = $3, updated_at = $3
                 WHERE org_id = $1 AND state = 'dead'
                 AND EXISTS (SELECT 1 FROM tickets AS one WHERE one.org_id = $1 AND one.id = $2 AND one.state = 'dead'
                             AND (tickets.id = $2 OR tickets.parent_id = $2 OR tickets.id = one.parent_id))
                 RETURNING ",
                ticket_columns!()
            ))
            .bind(org_id)
            .bind(id)
            .bind(now)
            .fetch_all(c)
            .await?
        });
        Ok(queued.into_iter().find(|ticket| ticket.id == id))
    }
}

impl Db {
    /// Claims up to `limit` queued tickets that are due, of all organizations, longest waiting first; comments only
    /// once their ticket is sent. They are leased until `leased_until`, so that no other replica sends them meanwhile.
    pub async fn claim_due_tickets(
        &self,
        now: Timestamp,
        leased_until: Timestamp,
        limit: u16,
    ) -> Result<Vec<Ticket>> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query_as(concat!(
                "UPDATE tickets SET next_attempt_at = $2, attempts = attempts + 1, updated_at = $1
                 WHERE state = 'queued' AND next_attempt_at <= $1 AND id IN
                 (SELECT due.id FROM tickets AS due WHERE due.state = 'queued' AND due.next_attempt_at <= $1
                  AND (due.parent_id IS NULL OR NOT EXISTS (SELECT 1 FROM tickets AS parent WHERE
                       parent.org_id = due.org_id AND parent.id = due.parent_id AND parent.state = 'queued'))
                  ORDER BY due.next_attempt_at LIMIT $3)
                 RETURNING ",
                ticket_columns!()
            ))
            .bind(now)
            .bind(leased_until)
            .bind(i64::from(limit))
            .fetch_all(pool)
            .await?
        }))
    }

    /// Records that a ticket or comment was created. Returns false when the claim has ended.
    pub async fn complete_ticket(
        &self,
        claimed: &Ticket,
        external: &ExternalTicket,
        now: Timestamp,
    ) -> Result<bool> {
        let state = if claimed.parent_id.is_some() { "commented" } else { "sent" };
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "UPDATE tickets SET state = $4, content = '', last_error = NULL, external_id = $5, external_key = $6,
                 external_url = $7, updated_at = $8
                 WHERE org_id = $1 AND id = $2 AND attempts = $3 AND state = 'queued'",
            )
            .bind(claimed.org_id)
            .bind(claimed.id)
            .bind(claimed.attempts)
            .bind(state)
            .bind(external.id.as_deref().map(storable))
            .bind(external.key.as_deref().map(storable))
            .bind(external.url.as_deref().map(storable))
            .bind(now)
            .execute(pool)
            .await?
            .rows_affected()
                == 1
        }))
    }

    /// Reschedules a ticket. Returns false when the claim has ended.
    pub async fn reschedule_ticket(
        &self,
        claimed: &Ticket,
        retry: RetryLater<'_>,
        now: Timestamp,
    ) -> Result<bool> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "UPDATE tickets SET next_attempt_at = $4, last_error = $5, failures = failures + $6, updated_at = $7
                 WHERE org_id = $1 AND id = $2 AND attempts = $3 AND state = 'queued'",
            )
            .bind(claimed.org_id)
            .bind(claimed.id)
            .bind(claimed.attempts)
            .bind(retry.retry_at)
            .bind(storable(retry.error))
            .bind(i64::from(retry.counts))
            .bind(now)
            .execute(pool)
            .await?
            .rows_affected()
                == 1
        }))
    }

    /// Gives up on a ticket and on the comments that wait for it. Returns false when the claim has ended.
    pub async fn fail_ticket(&self, claimed: &Ticket, error: &str, now: Timestamp) -> Result<bool> {
        let mut tx = self.write().await?;
        // Concurrent decisions with a similar ticket wait and then see it dead.
        tx.lock_balance(claimed.org_id).await?;
        let failed = on!(tx.connection(), |c| {
            let failed = sqlx::query(
                "UPDATE tickets SET state = 'dead', last_error = $4, failures = failures + 1, updated_at = $5
                 WHERE org_id = $1 AND id = $2 AND attempts = $3 AND state = 'queued'",
            )
            .bind(claimed.org_id)
            .bind(claimed.id)
            .bind(claimed.attempts)
            .bind(storable(error))
            .bind(now)
            .execute(&mut *c)
            .await?
            .rows_affected()
                == 1;
            if failed {
                sqlx::query(
                    "UPDATE tickets SET state = 'dead', last_error = $3, updated_at = $4
                     WHERE org_id = $1 AND parent_id = $2 AND state = 'queued'",
                )
                .bind(claimed.org_id)
                .bind(claimed.id)
                .bind(ORPHAN)
                .bind(now)
                .execute(c)
                .await?;
            }
            failed
        });
        tx.commit().await?;
        Ok(failed)
    }

    /// Handles a comment whose ticket is closed: it becomes a comment on the newest similar open ticket since
    /// `joins_since`, or else a ticket of its own, and is due at once. Returns false when the claim has ended.
    pub async fn reopen_as_new_ticket(
        &self,
        claimed: &Ticket,
        joins_since: Timestamp,
        now: Timestamp,
    ) -> Result<bool> {
        let mut tx = self.write().await?;
        // Of several comments on a closed ticket, the first becomes the ticket that the others comment on.
        tx.lock_balance(claimed.org_id).await?;
        let is_queued = on!(tx.connection(), |c| {
            sqlx::query("UPDATE tickets SET closed = TRUE WHERE org_id = $1 AND id = $2")
                .bind(claimed.org_id)
                .bind(claimed.parent_id)
                .execute(&mut *c)
                .await?;
            sqlx::query(
                "UPDATE tickets SET next_attempt_at = $5, updated_at = $5, parent_id =
                     (SELECT other.id FROM tickets AS other WHERE other.org_id = $1 AND other.likeness = tickets.likeness
                      AND other.parent_id IS NULL AND NOT other.closed AND other.state <> 'dead' AND other.id <> $2
                      AND other.created_at >= $4 ORDER BY other.id DESC LIMIT 1)
                 WHERE org_id = $1 AND id = $2 AND attempts = $3 AND state = 'queued'",
            )
            .bind(claimed.org_id)
            .bind(claimed.id)
            .bind(claimed.attempts)
            .bind(joins_since)
            .bind(now)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        });
        tx.commit().await?;
        Ok(is_queued)
    }
}
