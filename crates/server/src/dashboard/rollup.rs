//! Background job that adds log entries to the hourly counts.

use std::time::Duration;

use guardengine_store::{Db, Result};
use tokio::time::sleep;
use uuid::Uuid;

use super::{counts::Counts, usage_counts};

// Entries are read without a lock; writing the counts of one batch takes a few milliseconds.
const BATCH: u16 = 5_000;
// Pause between batches, so that other writers get their turn.
const PAUSE: Duration = Duration::from_millis(20);

/// Adds all new log entries to the hourly counts. The job can be interrupted and continues from its position. If several
/// jobs process the same entries, in this process or another, only one of them succeeds.
pub async fn roll_up(db: &Db) -> Result<()> {
    for (org, from) in db.orgs_with_pending_rollups().await? {
        roll_up_org(db, org, from).await?;
    }
    Ok(())
}

async fn roll_up_org(db: &Db, org: Uuid, mut from: i64) -> Result<()> {
    loop {
        let entries = db.log_summaries(org, from, BATCH).await?;
        let Some(last) = entries.last() else { return Ok(()) };
        let (counts, usage) = (Counts::of(&entries).stored(), usage_counts::stored(&entries));
        let won = db.roll_up(org, (from, last.sequence), &counts, &usage).await?;
        if !won || entries.len() < usize::from(BATCH) {
            return Ok(());
        }
        from = last.sequence;
        sleep(PAUSE).await;
    }
}
