//! Lists what an upgrade renamed, because an older name became equal.

use std::time::Duration;

use guardengine_store::{AuditEntry, AuditFilter, Clock, Db, RENAME_ACTION};
use serde_json::Value;
use uuid::Uuid;

use super::Check;

/// Time for which renames are listed. Older ones are in the audit trail.
const LISTED: Duration = Duration::from_hours(30 * 24);
/// Most names listed per organization.
const MOST: u16 = 20;

pub(super) async fn check(db: &Db) -> Check {
    match renames(db).await {
        Ok(renames) if renames.is_empty() => Check::ok("names", "no upgrade renamed anything lately"),
        Ok(renames) => Check::warning(
            "names",
            format!("renamed by an upgrade, because an older name is equal: {}", renames.join("; ")),
            "tell the people concerned, or give better names; the warning ends after 30 days",
        ),
        Err(error) => Check::failed("names", error.to_string(), "see the store's check"),
    }
}

async fn renames(db: &Db) -> guardengine_store::Result<Vec<String>> {
    let from = Some(Clock::System.now() - LISTED);
    let filter = AuditFilter { action: Some(RENAME_ACTION.to_owned()), from, ..AuditFilter::default() };
    let mut renames = Vec::new();
    for org in std::iter::once(Uuid::nil()).chain(db.orgs().await?.into_iter().map(|org| org.id)) {
        let entries = db.audit_entries(org, &filter, None, MOST).await?;
        renames.extend(entries.iter().rev().map(describe));
    }
    Ok(renames)
}

fn describe(entry: &AuditEntry) -> String {
    let details: Value = serde_json::from_str(&entry.details).unwrap_or_default();
    let text = |pointer| details.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    format!("{} {:?} is now {:?}", text("/type"), text("/name/from"), text("/name/to"))
}
