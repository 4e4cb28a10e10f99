//! Tickets are sent in the background, each replica those that it claimed.

use std::{sync::Arc, time::Duration};

use guardengine_store::Ticket;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::{attempt::attempt, providers::DEADLINE};
use crate::app::App;

/// Between two looks for what is due.
const TICK: Duration = Duration::from_secs(1);
/// Attempts at once.
const PLACES: usize = 16;
/// An attempt asks three times at most: whether there is something to comment on, whether the comment is there, and to make it.
const LONGEST: Duration = DEADLINE.saturating_mul(3);

/// Sends what is due, until `stop`.
pub async fn send(app: App, stop: CancellationToken) {
    let places = Arc::new(Semaphore::new(PLACES));
    while stop.run_until_cancelled(tokio::time::sleep(TICK)).await.is_some() {
        if let Err(fault) = send_due(&app, &places).await {
            tracing::warn!(%fault, "tickets that are due are not known, they wait");
        }
    }
}

async fn send_due(app: &App, places: &Arc<Semaphore>) -> guardengine_store::Result<()> {
    let free: Vec<_> = std::iter::from_fn(|| Arc::clone(places).try_acquire_owned().ok()).collect();
    if free.is_empty() {
        return Ok(());
    }
    let now = app.clock.now();
    // Whoever finds a ticket whose claim is over looks whether it is there: that must have had the time to show.
    let leased_until = now + LONGEST + app.settings.tickets.settling;
    let due = app.db.claim_due_tickets(now, leased_until, free.len() as u16).await?;
    for (ticket, place) in due.into_iter().zip(free) {
        app.tasks.spawn(sent(app.clone(), ticket, place));
    }
    Ok(())
}

async fn sent(app: App, ticket: Ticket, place: OwnedSemaphorePermit) {
    let draining = app.draining.clone();
    // What is broken off keeps its claim, and is looked for when that is over.
    let attempted = draining.run_until_cancelled(timeout(LONGEST, attempt(&app, &ticket))).await;
    if let Some(Ok(Err(fault))) = attempted {
        tracing::warn!(%fault, ticket = %ticket.id, "what became of a ticket is not kept");
    }
    drop(place);
}
