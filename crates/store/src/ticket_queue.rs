//! The queue of tickets: claimed by one replica at a time, put off, settled, given up, taken up again.
//!
//! A claim is a lease: whoever holds it has until then to say what became of it. Every change says which claim it is made
//! under, so that one who comes too late changes nothing.

use uuid::Uuid;

use crate::name::storable;
use crate::tickets::ticket_columns;
use crate::{Db, Result, Ticket, Timestamp};

/// Where a ticket is, in the system where it was raised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct External {
    /// What that system calls it in its own interface.
    pub id: Option<String>,
    /// What people call it.
    pub key: Option<String>,
    /// Where people find it.
    pub url: Option<String>,
}

/// Why a ticket is left alone for now.
#[derive(Clone, Copy, Debug)]
pub struct PutOff<'a> {
    /// Until when.
    pub until: Timestamp,
    /// Why, for people.
    pub error: &'a str,
    /// Whether that counts towards giving up.
    pub counts: bool,
}

const ORPHAN: &str = "the ticket that it was to comment on was not raised";

impl Db {
    /// Queued tickets of every organisation that are due, at most `limit`, those that wait longest first; comments once
    /// their ticket is sent. They are leased until `leased_until`, so that no other replica sends them meanwhile.
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

    /// It arrived, as a ticket or as a comment; false when the claim is over.
    pub async fn settle_ticket(&self, claimed: &Ticket, external: &External, now: Timestamp) -> Result<bool> {
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

    /// It is to be tried again; false when the claim is over.
    pub async fn put_off_ticket(&self, claimed: &Ticket, why: PutOff<'_>, now: Timestamp) -> Result<bool> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "UPDATE tickets SET next_attempt_at = $4, last_error = $5, failures = failures + $6, updated_at = $7
                 WHERE org_id = $1 AND id = $2 AND attempts = $3 AND state = 'queued'",
            )
            .bind(claimed.org_id)
            .bind(claimed.id)
            .bind(claimed.attempts)
            .bind(why.until)
            .bind(storable(why.error))
            .bind(i64::from(why.counts))
            .bind(now)
            .execute(pool)
            .await?
            .rows_affected()
                == 1
        }))
    }

    /// It is not tried any more, and with it the comments that wait for it; false when the claim is over.
    pub async fn give_up_ticket(&self, claimed: &Ticket, error: &str, now: Timestamp) -> Result<bool> {
        let mut tx = self.write().await?;
        // Decisions that are alike wait, and see it dead.
        tx.lock_balance(claimed.org_id).await?;
        let given_up = on!(tx.connection(), |c| {
            let given_up = sqlx::query(
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
            if given_up {
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
            given_up
        });
        tx.commit().await?;
        Ok(given_up)
    }

    /// The ticket that it was to comment on is closed: it comments on the newest one that is alike and open, not older
    /// than `joins_since`, else it becomes one of its own. It is due at once; false when the claim is over.
    pub async fn raise_ticket_anew(
        &self,
        claimed: &Ticket,
        joins_since: Timestamp,
        now: Timestamp,
    ) -> Result<bool> {
        let mut tx = self.write().await?;
        // Of several comments that find it closed, the first becomes the ticket that the others comment on.
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

    /// Takes a dead ticket up again, with the dead ticket that it comments on, and the dead comments on it; `None` unless
    /// it is dead.
    pub async fn retry_ticket(&self, org_id: Uuid, id: Uuid, now: Timestamp) -> Result<Option<Ticket>> {
        let taken_up: Vec<Ticket> = on!(self.writer(), |pool| {
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
            .fetch_all(pool)
            .await?
        });
        Ok(taken_up.into_iter().find(|ticket| ticket.id == id))
    }
}
