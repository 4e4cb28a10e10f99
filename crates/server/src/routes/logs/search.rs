//! Paged search in the log.

use std::time::{Duration, Instant};

use guardengine_store::{Db, LogEntry, LogFilter, Page, Paged, Result};
use uuid::Uuid;

// Time limit of a search without an index. Then the entries found so far are returned with a cursor.
const PATIENCE: Duration = Duration::from_secs(1);

/// Returns a page of log entries; fewer than the limit if the search takes too long.
pub async fn search(db: &Db, org: Uuid, filter: &LogFilter, page: Page) -> Result<Paged<LogEntry>> {
    let began = Instant::now();
    let mut found = Paged { rows: Vec::new(), next: page.before };
    loop {
        let missing = page.limit - found.rows.len() as u16;
        let step = db.logs(org, filter, Page { limit: missing, before: found.next }).await?;
        found.rows.extend(step.rows);
        found.next = step.next;
        let is_full = found.rows.len() == usize::from(page.limit);
        if is_full || found.next.is_none() || began.elapsed() > PATIENCE {
            return Ok(found);
        }
    }
}
