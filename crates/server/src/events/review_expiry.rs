//! Reviews that nobody decided in time: that they are denied follows from the time alone; that this is told, once, does not.

use guardengine_store::Result;

use super::payloads::of_expiry;
use crate::app::App;

const AT_ONCE: u16 = 100;

/// Tells of every review whose time is over and of which it was not told.
pub async fn emit_expired(app: &App) -> Result<()> {
    loop {
        let now = app.clock.now();
        let over = app.db.untold_expiries(now, AT_ONCE).await?;
        for (org, review) in &over {
            app.db.tell_expiry(*org, review.id, &of_expiry(review, now), now).await?;
        }
        if over.len() < usize::from(AT_ONCE) {
            return Ok(());
        }
    }
}
