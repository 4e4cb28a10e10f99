//! Emits one event for each expired review. Expiry itself needs no job: an overdue review counts as denied.

use guardengine_store::Result;

use super::payloads::of_expiry;
use crate::app::App;

const BATCH_SIZE: u16 = 100;

/// Emits events for all expired reviews that have none yet.
pub async fn emit_expired(app: &App) -> Result<()> {
    loop {
        let now = app.clock.now();
        let expired = app.db.unreported_expiries(now, BATCH_SIZE).await?;
        for (org, review) in &expired {
            app.db.record_expiry(*org, review.id, &of_expiry(review, now), now).await?;
        }
        if expired.len() < usize::from(BATCH_SIZE) {
            return Ok(());
        }
    }
}
