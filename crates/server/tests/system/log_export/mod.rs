//! Export of log entries to brokers.

#[cfg(feature = "kafka")]
mod kafka;
#[cfg(feature = "nats")]
mod nats;

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use guardengine_store::{Db, LogFilter};
use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

use crate::support::process::{ServiceProcess, run};

const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";
/// Time for another attempt after a failure and for a lease to end.
const WITHIN: Duration = Duration::from_secs(45);

async fn becomes(what: &str, holds: impl AsyncFn() -> bool) {
    let began = Instant::now();
    while !holds().await {
        assert!(began.elapsed() < WITHIN, "{what} not after {:?}", began.elapsed());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

fn sqlite(folder: &TempDir) -> String {
    format!("sqlite://{}", folder.path().join("guardengine.db").display())
}

async fn evaluate(served: &ServiceProcess, prompts: usize) {
    for number in 0..prompts {
        served.answer(ANALYZE, &json!({ "prompt": format!("What is {number} and {number}?") })).await;
    }
}

/// Returns the numbers and ids of the entries of the database, by organization.
async fn stored_entries(db: &Db) -> BTreeMap<String, Vec<(i64, String)>> {
    let mut stored = BTreeMap::new();
    for org in db.orgs().await.unwrap() {
        let (rows, _) = db.logs_after(org.id, &LogFilter::default(), 0, u16::MAX).await.unwrap();
        let rows: Vec<_> = rows.into_iter().map(|row| (row.sequence, row.log.id.to_string())).collect();
        stored.insert(org.id.to_string(), rows);
    }
    stored.retain(|_, rows| !rows.is_empty());
    stored
}

/// Creates a second organization with copies of the entries of the first.
async fn second_org(folder: &TempDir, db: &Db) {
    let (code, org, said) = run(folder.path(), &["admin", "create-org", "--name", "Second"]);
    assert_eq!(code, 0, "{said}");
    let second = db.org_by_name("Second").await.unwrap().unwrap_or_else(|| panic!("{org}")).id;
    let first = db.org_by_name("default").await.unwrap().unwrap().id;
    let (rows, _) = db.logs_after(first, &LogFilter::default(), 0, 9).await.unwrap();
    let copies = rows.into_iter().map(|row| {
        let log = guardengine_store::LogEntry { org_id: second, id: Uuid::now_v7(), credits: 0, ..row.log };
        guardengine_store::DecisionRecord::of(log, "analyze")
    });
    db.commit_decisions(&copies.collect::<Vec<_>>()).await.unwrap();
}

async fn metric(served: &ServiceProcess, name: &str) -> f64 {
    let metrics = served.metrics().await;
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name} in {metrics}")).parse().unwrap()
}

async fn export_status(served: &ServiceProcess) -> Value {
    served.get("/readyz").await["log_export"].clone()
}
