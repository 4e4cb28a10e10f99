//! Background health checks of connectors. Each replica checks the connectors that it claimed.

use std::time::Duration;

use guardengine_store::{Connector as Stored, Result, Timestamp};
use tokio::sync::Notify;

use super::{check, open, record_check};
use crate::{Integrations, background::Queue};

/// Duration of a claim. Afterwards another process may take over a check that never finished.
const CLAIM_DURATION: Duration = Duration::from_mins(1);

/// Connectors that are due for a check.
pub(crate) struct Checks;

impl Queue for Checks {
    type Item = Stored;
    const ITEMS: &str = "connectors due for a check";
    const TICK: Duration = Duration::from_secs(5);
    const MAX_CONCURRENT: usize = 16;

    fn signal(integrations: &Integrations) -> Option<&Notify> {
        Some(&integrations.connectors_changed)
    }

    async fn claim(integrations: &Integrations, now: Timestamp, limit: u16) -> Result<Vec<Stored>> {
        integrations.db.claim_due_connectors(now, now + CLAIM_DURATION, limit).await
    }

    async fn process(integrations: &Integrations, connector: Stored) {
        integrations.draining.run_until_cancelled(check_one(integrations, connector)).await;
    }
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
