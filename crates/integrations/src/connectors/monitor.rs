//! Background health checks of connectors. Each replica checks the connectors that it claimed.

use std::{sync::Arc, time::Duration};

use guardengine_store::Connector as Stored;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::{check, open, record_check};
use crate::Integrations;

/// Pause between two searches for connectors that are due.
const TICK: Duration = Duration::from_secs(5);
/// Concurrent checks.
const MAX_CONCURRENT: usize = 16;
/// Duration of a claim. Afterwards another process may take over a check that never finished.
const CLAIM_DURATION: Duration = Duration::from_mins(1);

/// Checks connectors that are due until `stop` is cancelled.
pub async fn run(integrations: Integrations, stop: CancellationToken) {
    let permits = Arc::new(Semaphore::new(MAX_CONCURRENT));
    loop {
        let wait = timeout(TICK, integrations.connectors_changed.notified());
        if stop.run_until_cancelled(wait).await.is_none() {
            return;
        }
        if let Err(error) = check_due(&integrations, &permits).await {
            tracing::warn!(%error, "could not load connectors due for a check; retrying in 5 s");
        }
    }
}

async fn check_due(integrations: &Integrations, permits: &Arc<Semaphore>) -> guardengine_store::Result<()> {
    let Ok(first) = Arc::clone(permits).try_acquire_owned() else { return Ok(()) };
    let mut free = vec![first];
    free.extend(std::iter::from_fn(|| Arc::clone(permits).try_acquire_owned().ok()));
    let now = integrations.clock.now();
    let due = integrations.db.claim_due_connectors(now, now + CLAIM_DURATION, free.len() as u16).await?;
    for (connector, permit) in due.into_iter().zip(free) {
        integrations.tasks.spawn(check_with_permit(integrations.clone(), connector, permit));
    }
    Ok(())
}

async fn check_with_permit(integrations: Integrations, connector: Stored, permit: OwnedSemaphorePermit) {
    let draining = integrations.draining.clone();
    draining.run_until_cancelled(check_one(&integrations, connector)).await;
    drop(permit);
}

async fn check_one(integrations: &Integrations, stored: Stored) {
    let id = stored.id;
    let connector = match open(&integrations.vault, stored).await {
        Ok(connector) => connector,
        Err(error) => return tracing::warn!(%error, connector = %id, "could not decrypt a connector"),
    };
    let began = integrations.clock.now();
    let error = check(integrations, &connector).await.err();
    if let Err(error) = record_check(&integrations.db, began, &connector.stored, error.as_deref()).await {
        tracing::warn!(%error, connector = %id, "could not store the result of a connector check");
    }
}
