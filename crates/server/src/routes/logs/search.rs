//! Pages of rows.

use std::time::{Duration, Instant};

use guardengine_store::{Db, Log, LogFilter, Page, Paged, Result};
use uuid::Uuid;

// A search that no index helps may take so long; then what was found is answered, and where to go on.
const PATIENCE: Duration = Duration::from_secs(1);

/// The rows of a page, as many as were asked for unless the search takes too long.
pub async fn search(db: &Db, org: Uuid, filter: &LogFilter, page: Page) -> Result<Paged<Log>> {
    let began = Instant::now();
    let mut found = Paged { rows: Vec::new(), next: page.before };
    loop {
        let wanted = page.limit - found.rows.len() as u16;
        let step = db.logs(org, filter, Page { limit: wanted, before: found.next }).await?;
        found.rows.extend(step.rows);
        found.next = step.next;
        let is_full = found.rows.len() == usize::from(page.limit);
        if is_full || found.next.is_none() || began.elapsed() > PATIENCE {
            return Ok(found);
        }
    }
}
