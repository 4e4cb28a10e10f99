//! Background delivery of tickets. Each replica sends the tickets that it claimed.

use std::time::Duration;

use guardengine_store::{Result, Ticket, Timestamp};
use tokio::{sync::Notify, time::timeout};

use super::{attempt::attempt, providers::DEADLINE};
use crate::{Integrations, background::Queue};

/// Longest time for an attempt of at most three requests: find the ticket, find an earlier comment, create the comment.
const MAX_ATTEMPT_TIME: Duration = DEADLINE.saturating_mul(3);

/// Tickets that wait for an attempt.
pub(crate) struct Tickets;

impl Queue for Tickets {
    type Item = Ticket;
    const ITEMS: &str = "tickets due for delivery";
    const TICK: Duration = Duration::from_secs(1);
    const MAX_CONCURRENT: usize = 16;

    fn signal(_: &Integrations) -> Option<&Notify> {
        None
    }

    async fn claim(integrations: &Integrations, now: Timestamp, limit: u16) -> Result<Vec<Ticket>> {
        // After an expired claim the next attempt searches for the ticket, so the search results must have caught up by then.
        let leased_until = now + MAX_ATTEMPT_TIME + integrations.tickets.settling;
        integrations.db.claim_due_tickets(now, leased_until, limit).await
    }

    async fn process(integrations: &Integrations, ticket: Ticket) {
        // An interrupted attempt keeps its claim; the next attempt searches for the ticket.
        let attempt = timeout(MAX_ATTEMPT_TIME, attempt(integrations, &ticket));
        let attempted = integrations.draining.run_until_cancelled(attempt).await;
        if let Some(Ok(Err(error))) = attempted {
            tracing::warn!(%error, ticket = %ticket.id, "could not store the result of a ticket attempt");
        }
    }
}
