//! Rows added up by the hour, in the background.

use std::time::Duration;

use guardengine_store::{Db, Result};
use tokio::time::sleep;
use uuid::Uuid;

use super::counts::Counts;

// Read without a lock; the counts of so many are written in a few milliseconds.
const BATCH: u16 = 5_000;
// Between two batches, for others to write.
const PAUSE: Duration = Duration::from_millis(20);

/// Adds up all rows that are not yet. It may stop anywhere and goes on from there; whoever else adds up the same rows
/// at the same time, in this process or another, one of them wins.
pub async fn roll_up(db: &Db) -> Result<()> {
    for (org, from) in db.behind_with_rollups().await? {
        roll_up_org(db, org, from).await?;
    }
    Ok(())
}

async fn roll_up_org(db: &Db, org: Uuid, mut from: i64) -> Result<()> {
    loop {
        let rows = db.log_summaries(org, from, BATCH).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        let won = db.roll_up(org, (from, last.sequence), &Counts::of(&rows).kept()).await?;
        if !won || rows.len() < usize::from(BATCH) {
            return Ok(());
        }
        from = last.sequence;
        sleep(PAUSE).await;
    }
}
