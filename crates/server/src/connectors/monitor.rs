//! Connectors are looked after in the background: those that are due are checked, each replica what it claimed.

use std::{sync::Arc, time::Duration};

use guardengine_store::Connector as Stored;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::{check, open, record_check};
use crate::app::App;

/// Between two looks for what is due.
const TICK: Duration = Duration::from_secs(5);
/// Checks at once.
const PLACES: usize = 16;
/// A check that was claimed and not kept for so long, as its process ended, is made by another.
const CLAIMED: Duration = Duration::from_mins(1);

/// Checks what is due, until `stop`.
pub async fn run(app: App, stop: CancellationToken) {
    let places = Arc::new(Semaphore::new(PLACES));
    loop {
        let wait = timeout(TICK, app.connectors_changed.notified());
        if stop.run_until_cancelled(wait).await.is_none() {
            return;
        }
        if let Err(fault) = check_due(&app, &places).await {
            tracing::warn!(%fault, "connectors that are due are not known, they wait");
        }
    }
}

async fn check_due(app: &App, places: &Arc<Semaphore>) -> guardengine_store::Result<()> {
    let Ok(first) = Arc::clone(places).try_acquire_owned() else { return Ok(()) };
    let mut free = vec![first];
    free.extend(std::iter::from_fn(|| Arc::clone(places).try_acquire_owned().ok()));
    let now = app.clock.now();
    let due = app.db.claim_due_connectors(now, now + CLAIMED, free.len() as u16).await?;
    for (connector, place) in due.into_iter().zip(free) {
        app.tasks.spawn(looked_at(app.clone(), connector, place));
    }
    Ok(())
}

async fn looked_at(app: App, connector: Stored, place: OwnedSemaphorePermit) {
    let draining = app.draining.clone();
    draining.run_until_cancelled(look(&app, connector)).await;
    drop(place);
}

async fn look(app: &App, stored: Stored) {
    let id = stored.id;
    let connector = match open(&app.vault, stored).await {
        Ok(connector) => connector,
        Err(fault) => return tracing::warn!(%fault, connector = %id, "a connector does not open"),
    };
    let error = check(app, &connector).await.err();
    if let Err(fault) = record_check(app, &connector.stored, error.as_deref()).await {
        tracing::warn!(%fault, connector = %id, "what a check found out is not kept");
    }
}
