//! Checks the database and the connectors in it.

use std::path::Path;

use guardengine_integrations::connectors::status_of;
use guardengine_store::Db;

use super::Check;
use crate::config::Settings;

/// Opens the database, sends a query, and reads the status of every connector. Opens no vault: that would create a
/// missing master key.
pub async fn check(settings: &Settings) -> Vec<Check> {
    let url = settings.database_url.expose();
    if url.strip_prefix("sqlite://").is_some_and(|path| !Path::new(path).exists()) {
        return vec![Check::ok("store", "no database yet; the first start creates it")];
    }
    let kind = if url.starts_with("sqlite://") { "SQLite" } else { "PostgreSQL" };
    let db = match Db::open(url).await {
        Ok(db) => db,
        Err(error) => return vec![failed(kind, &error.to_string())],
    };
    let checks = match db.ping().await {
        Ok(()) => vec![Check::ok("store", format!("{kind} answers")), connectors(&db).await],
        Err(error) => vec![failed(kind, &error.to_string())],
    };
    db.close().await;
    checks
}

fn failed(kind: &str, why: &str) -> Check {
    Check::failed(
        "store",
        format!("{kind}: {why}"),
        "start the database, or correct database_url and its permissions",
    )
}

/// Reads the last known status of every enabled connector.
async fn connectors(db: &Db) -> Check {
    match failing(db).await {
        Ok((total, failing)) if failing.is_empty() => {
            Check::ok("connectors", format!("{total} without errors"))
        }
        Ok((_, failing)) => Check::warning(
            "connectors",
            format!("not working: {}", failing.join("; ")),
            "correct them on the Connectors page, then test them there",
        ),
        Err(error) => Check::failed("connectors", error.to_string(), "see the store's check"),
    }
}

async fn failing(db: &Db) -> guardengine_store::Result<(usize, Vec<String>)> {
    let (mut total, mut failing) = (0, Vec::new());
    for org in db.orgs().await? {
        for connector in db.connectors(org.id).await? {
            total += 1;
            if status_of(&connector) == "error" {
                let why = connector.last_error.as_deref().unwrap_or("unknown error");
                failing.push(format!("{} of {}: {why}", connector.name, org.name));
            }
        }
    }
    Ok((total, failing))
}
