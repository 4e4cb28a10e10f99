//! Background delivery of tickets. Each replica sends the tickets that it claimed.

use std::{sync::Arc, time::Duration};

use guardengine_store::Ticket;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::{attempt::attempt, providers::DEADLINE};
use crate::Integrations;

/// Pause between two searches for tickets that are due.
const TICK: Duration = Duration::from_secs(1);
/// Concurrent attempts.
const MAX_CONCURRENT: usize = 16;
/// Longest time for an attempt of at most three requests: find the ticket, find an earlier comment, create the comment.
const MAX_ATTEMPT_TIME: Duration = DEADLINE.saturating_mul(3);

/// Sends tickets that are due until `stop` is cancelled.
pub async fn send(integrations: Integrations, stop: CancellationToken) {
    let permits = Arc::new(Semaphore::new(MAX_CONCURRENT));
    while stop.run_until_cancelled(tokio::time::sleep(TICK)).await.is_some() {
        if let Err(error) = send_due(&integrations, &permits).await {
            tracing::warn!(%error, "could not load tickets due for delivery; retrying in 1 s");
        }
    }
}

async fn send_due(integrations: &Integrations, permits: &Arc<Semaphore>) -> guardengine_store::Result<()> {
    let free: Vec<_> = std::iter::from_fn(|| Arc::clone(permits).try_acquire_owned().ok()).collect();
    if free.is_empty() {
        return Ok(());
    }
    let now = integrations.clock.now();
    // After an expired claim the next attempt searches for the ticket, so the search results must have caught up by then.
    let leased_until = now + MAX_ATTEMPT_TIME + integrations.tickets.settling;
    let due = integrations.db.claim_due_tickets(now, leased_until, free.len() as u16).await?;
    for (ticket, permit) in due.into_iter().zip(free) {
        integrations.tasks.spawn(attempt_with_permit(integrations.clone(), ticket, permit));
    }
    Ok(())
}

async fn attempt_with_permit(integrations: Integrations, ticket: Ticket, permit: OwnedSemaphorePermit) {
    let draining = integrations.draining.clone();
    // An interrupted attempt keeps its claim; the next attempt searches for the ticket.
    let attempted =
        draining.run_until_cancelled(timeout(MAX_ATTEMPT_TIME, attempt(&integrations, &ticket))).await;
    if let Some(Ok(Err(error))) = attempted {
        tracing::warn!(%error, ticket = %ticket.id, "could not store the result of a ticket attempt");
    }
    drop(permit);
}
