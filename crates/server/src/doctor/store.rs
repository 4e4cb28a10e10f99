//! Checks the database: its schema, writes, keys and connectors.

use std::{path::Path, time::Duration};

use guardengine_integrations::connectors::status_of;
use guardengine_store::{Clock, Db, Growth, SchemaVersion, schema_version};
use tokio::time::timeout;

use super::{Check, Status, keys, names};
use crate::config::Settings;

/// Time limit of a write.
const TIME: Duration = Duration::from_secs(10);

/// Bytes that the check writes.
const WRITTEN: usize = 256 << 10;

/// Checks the database, and returns the growth of an embedded one. Creates and migrates nothing: where the schema is not
/// that of this program, the checks end there.
pub async fn check(settings: &Settings) -> (Vec<Check>, Option<Growth>) {
    let url = settings.database_url.expose();
    if url.strip_prefix("sqlite://").is_some_and(|path| !Path::new(path).exists()) {
        return (vec![Check::ok("store", "no database yet; the first start creates it")], None);
    }
    let kind = if url.starts_with("sqlite://") { "SQLite" } else { "PostgreSQL" };
    let schema = match schema_version(url).await {
        Ok(versions) => schema(versions),
        Err(error) => return (vec![failed(kind, &error.to_string())], None),
    };
    let answers = Check::ok("store", format!("{kind} answers"));
    if schema.status != Status::Ok {
        return (vec![answers, schema], None);
    }
    let db = match Db::open(url).await {
        Ok(db) => db,
        // Opening takes the lock of a SQLite file for a moment.
        Err(error) if error.is_unavailable() => {
            return (vec![answers, schema, refused(&error.to_string())], None);
        }
        Err(error) => return (vec![failed(kind, &error.to_string()), schema], None),
    };
    let growth = db.growth(Clock::System.now()).await.ok();
    let checks = vec![
        answers,
        schema,
        writes(&db).await,
        keys::check(settings, &db).await,
        connectors(&db).await,
        names::check(&db).await,
    ];
    db.close().await;
    (checks, growth)
}

/// Compares the version of the schema with that of this program.
fn schema(SchemaVersion { found, newest }: SchemaVersion) -> Check {
    match found {
        None => Check::warning(
            "schema",
            "the database has no tables yet",
            "start the service, which creates them",
        ),
        Some(found) if found < newest => Check::warning(
            "schema",
            format!("version {found}; this program has version {newest}"),
            "back up the database, then start this version: it migrates",
        ),
        Some(found) if found > newest => Check::failed(
            "schema",
            format!("version {found}, of a newer program; this one has version {newest}"),
            "install the newer version, or restore a backup",
        ),
        Some(found) => Check::ok("schema", format!("version {found}")),
    }
}

/// Writes a row and commits it.
async fn writes(db: &Db) -> Check {
    let error = match timeout(TIME, db.probe().write(WRITTEN)).await {
        Ok(Ok(())) => return Check::ok("writes", "a write was committed"),
        Ok(Err(error)) => error.to_string(),
        Err(_) => format!("no answer within {} s", TIME.as_secs()),
    };
    refused(&error)
}

fn refused(why: &str) -> Check {
    Check::failed(
        "writes",
        why,
        "free its disk, end the process that locks it, or make it writable; the service then goes on without a restart",
    )
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
