//! Rows that waited, written.

use anyhow::{Context as _, Result};
use guardengine_store::{Db, Decision};

use super::{Entry, SpoolFile};
use crate::{degraded::StoreHealth, tickets};

/// Rows in one transaction.
const BATCH: usize = 64;

/// Writes the next rows of the file; answers how many there were and where they end. Whatever fails, they stay.
pub(super) async fn batch(db: &Db, watch: &StoreHealth, file: &SpoolFile) -> Result<(usize, u64)> {
    let (contents, end) = file.peek(BATCH)?;
    let entries: Result<Vec<Entry>, _> =
        contents.iter().map(|content| serde_json::from_slice(content)).collect();
    let mut decisions: Vec<Decision> =
        entries.context("a spooled row is not understood")?.into_iter().map(Decision::from).collect();
    let write = async {
        for decision in &mut decisions {
            let tickets = std::mem::take(&mut decision.aftermath.tickets);
            decision.aftermath.tickets = tickets::addressed(db, &decision.log, tickets).await?;
        }
        db.replay_decisions(&decisions).await
    };
    let written = watch.run_while_up(write).await.context("the store does not answer")??;
    tracing::info!(rows = contents.len(), written, "spooled rows are written");
    Ok((contents.len(), end))
}
