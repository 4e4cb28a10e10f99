//! A service that is killed under load.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use guardengine_store::{Db, LogFilter, Page};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::process::ServiceProcess;

const CLIENTS: usize = 16;
const LOADED: Duration = Duration::from_millis(1500);

/// Sends prompts one after the other until the service is gone. Returns the acknowledged entries.
pub async fn acknowledged(served: Arc<ServiceProcess>) -> Vec<Uuid> {
    let mut rows = Vec::new();
    loop {
        let prompt = json!({ "prompt": "What is the weather like in Oslo today?" });
        let sent = served.post("/v2/guardengine/svc_firewall_analyze", &prompt).send();
        let Ok(answer) = sent.await else { return rows };
        let Ok(body) = answer.json::<Value>().await else { return rows };
        rows.push(body["log_id"].as_str().unwrap_or_else(|| panic!("{body}")).parse().unwrap());
    }
}

/// Returns the log entries, the charged entries, the sum of the ledger and the balance.
pub async fn kept(db: &Db, org: Uuid) -> (BTreeSet<Uuid>, BTreeSet<Uuid>, i64, i64) {
    let (mut rows, mut before) = (BTreeSet::new(), None);
    loop {
        let page = db.logs(org, &LogFilter::default(), Page { limit: 500, before }).await.unwrap();
        rows.extend(page.rows.iter().map(|row| row.id));
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    let (mut charged, mut total, mut before) = (BTreeSet::new(), 0, None);
    loop {
        let entries = db.credit_entries(org, before, 500).await.unwrap();
        let Some(last) = entries.last() else { break };
        before = Some(last.sequence);
        total += entries.iter().map(|entry| entry.amount).sum::<i64>();
        charged.extend(entries.iter().filter_map(|entry| entry.log_id));
    }
    (rows, charged, total, db.balance(org).await.unwrap().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::disallowed_methods, reason = "a test waits for its own tasks")]
async fn every_acknowledged_request_has_its_entry_and_its_charge_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let served = Arc::new(ServiceProcess::start(folder.path()).await);
    let clients: Vec<_> = (0..CLIENTS).map(|_| tokio::spawn(acknowledged(Arc::clone(&served)))).collect();
    tokio::time::sleep(LOADED).await;
    served.kill();
    let mut reported = BTreeSet::new();
    for client in clients {
        reported.extend(client.await.unwrap());
    }
    assert!(reported.len() > CLIENTS, "{} requests", reported.len());
    drop(ServiceProcess::start(folder.path()).await);

    let db = Db::open(&format!("sqlite://{}", folder.path().join("guardengine.db").display())).await.unwrap();
    let org = db.org_by_name("default").await.unwrap().unwrap().id;
    let (rows, charged, total, balance) = kept(&db, org).await;
    assert!(reported.is_subset(&rows), "{:?} were acknowledged and are gone", reported.difference(&rows));
    assert_eq!(rows, charged);
    assert_eq!(total, balance);
    // Only requests in flight may have an entry without a response.
    assert!(rows.len() - reported.len() <= CLIENTS);
}
