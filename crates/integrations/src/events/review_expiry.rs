//! Emits one event for each expired review. Expiry itself needs no job: an overdue review counts as denied.

use guardengine_store::{Clock, Db, Result};

use super::payloads::of_expiry;

const BATCH_SIZE: u16 = 100;

/// Emits events for all expired reviews that have none yet.
pub async fn emit_expired(db: &Db, clock: &Clock) -> Result<()> {
    loop {
        let now = clock.now();
        let expired = db.untold_expiries(now, BATCH_SIZE).await?;
        for (org, review) in &expired {
            db.tell_expiry(*org, review.id, &of_expiry(review, now), now).await?;
        }
        if expired.len() < usize::from(BATCH_SIZE) {
            return Ok(());
        }
    }
}
