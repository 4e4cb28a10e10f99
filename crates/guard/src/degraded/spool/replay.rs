//! Replay of spooled decisions into the store.

use anyhow::{Context as _, Result};
use guardengine_integrations::tickets;
use guardengine_store::{Db, Decision, StoreHealth};

use super::{Entry, SpoolFile};

/// Maximum number of entries in one transaction.
const BATCH: usize = 64;

/// Writes the next entries of the file to the store. Returns their number and the offset of their end. On an error they
/// stay in the file.
pub(crate) async fn batch(db: &Db, store: &StoreHealth, file: &SpoolFile) -> Result<(usize, u64)> {
    let (contents, end) = file.peek(BATCH)?;
    let entries: Result<Vec<Entry>, _> =
        contents.iter().map(|content| serde_json::from_slice(content)).collect();
    let mut decisions: Vec<Decision> =
        entries.context("could not parse a spooled entry")?.into_iter().map(Decision::from).collect();
    let write = async {
        for decision in &mut decisions {
            let tickets = std::mem::take(&mut decision.aftermath.tickets);
            decision.aftermath.tickets = tickets::addressed(db, &decision.log, tickets).await?;
        }
        db.replay_decisions(&decisions).await
    };
    let written = store.run_while_up(write).await.context("the store does not answer")??;
    tracing::info!(entries = contents.len(), written, "replayed spooled entries");
    Ok((contents.len(), end))
}
