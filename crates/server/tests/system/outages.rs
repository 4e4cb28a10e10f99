//! Outages of PostgreSQL.

use std::time::{Duration, Instant};

use guardengine_store::Db;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    crash::kept,
    replicas::{Replicas, analyzed},
    support::{
        postgres::{Link, LinkState, postgres},
        process::ServiceProcess,
    },
};

/// Time limit of a guard call while the store does not answer.
const REFUSED_WITHIN: Duration = Duration::from_secs(5);
const BACK_WITHIN: Duration = Duration::from_secs(15);

async fn becomes(what: &str, holds: impl AsyncFn() -> bool) {
    let began = Instant::now();
    while !holds().await {
        assert!(began.elapsed() < BACK_WITHIN, "{what} not after {:?}", began.elapsed());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Creates a project and returns the body of a guard call in it.
async fn project(replica: &ServiceProcess, name: &str, on_store_failure: &str) -> Value {
    let policy = json!({ "policyName": name, "blocked_keywords": ["forbidden"] });
    let policy = replica.answer("/api/policy/create", &policy).await["policyId"].clone();
    let project = json!({ "projectName": name, "policyId": policy, "on_store_failure": on_store_failure });
    let id = replica.answer("/api/project/create", &project).await["projectId"].clone();
    json!({ "prompt": "What is the weather like in Oslo today?", "projectId": id })
}

/// Waits until every replica noticed a change and dropped what it had cached before.
async fn heard() {
    tokio::time::sleep(Duration::from_secs(1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_store_calls_are_refused_in_time_and_served_when_it_is_back() {
    let Some(database) = postgres().await else { return };
    let link = Link::to(&database).await;
    let replicas = Replicas::start(1, &link.url(), &[]).await;
    let replica = &replicas.all[0];
    let (_, key) = replicas.key().await;
    let asked = project(replica, "Shop", "refuse").await;
    for state in [LinkState::Broken, LinkState::Silent] {
        assert_eq!(analyzed(replica, &key, &asked).await.0, 200);
        link.set(state);
        for _ in 0..3 {
            let began = Instant::now();
            let (status, body) = analyzed(replica, &key, &asked).await;
            assert!(began.elapsed() < REFUSED_WITHIN, "refused after {:?}", began.elapsed());
            let detail = json!({ "detail": "the store does not answer, try again later" });
            assert_eq!((status.as_u16(), body), (503, detail));
        }
        // A refused call only asks for the probe that readiness shows.
        becomes("not ready", async || replica.get_as(&Value::Null, "/readyz").await == 503).await;
        assert_eq!(replica.get_as(&Value::Null, "/healthz").await, 200);
        link.set(LinkState::Up);
        becomes("served", async || analyzed(replica, &key, &asked).await.0 == 200).await;
    }
}

async fn spooled(replica: &ServiceProcess) -> f64 {
    let metrics = replica.metrics().await;
    let line = metrics.lines().find(|line| line.starts_with("guardengine_spool_rows ")).unwrap();
    line.split_once(' ').unwrap().1.parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spooling_project_is_served_without_the_store_and_its_entries_are_written_once() {
    let Some(database) = postgres().await else { return };
    let link = Link::to(&database).await;
    let mut replicas = Replicas::start(1, &link.url(), &[("SPOOL__MAX_SIZE", "16KiB")]).await;
    let (_, key) = replicas.key().await;
    let (_, unseen) = replicas.key().await;
    let asked = project(&replicas.all[0], "Spools", "spool").await;
    let refusing = project(&replicas.all[0], "Refuses", "refuse").await;
    heard().await;
    let mut reported: Vec<Uuid> = Vec::new();
    let row = |body: &Value| body["log_id"].as_str().unwrap_or_else(|| panic!("{body}")).parse().unwrap();
    for body in [&asked, &refusing] {
        let (status, body) = analyzed(&replicas.all[0], &key, body).await;
        assert_eq!(status, 200);
        reported.push(row(&body));
    }
    link.set(LinkState::Broken);
    for _ in 0..5 {
        let (status, body) = analyzed(&replicas.all[0], &key, &asked).await;
        assert_eq!((status.as_u16(), &body["overall_decision"]), (200, &"allow".into()), "{body}");
        reported.push(row(&body));
    }
    let mut blocked = asked.clone();
    blocked["prompt"] = "something forbidden".into();
    let (_, body) = analyzed(&replicas.all[0], &key, &blocked).await;
    assert_eq!(body["overall_decision"], "block");
    reported.push(row(&body));
    assert_eq!(analyzed(&replicas.all[0], &key, &refusing).await.0, 503);
    assert_eq!(
        analyzed(&replicas.all[0], &unseen, &asked).await.0,
        503,
        "the replica has never read this key from the store"
    );
    assert!((spooled(&replicas.all[0]).await - 6.0).abs() < 0.5);
    let full = loop {
        let (status, body) = analyzed(&replicas.all[0], &key, &asked).await;
        if status != 200 {
            break (status.as_u16(), body);
        }
        reported.push(row(&body));
        assert!(reported.len() < 100, "the size of the spool is not limited");
    };
    assert_eq!(full, (503, json!({ "detail": "the spool is full, try again later" })));

    // Acknowledged entries outlive the process.
    replicas.all[0].kill();
    link.set(LinkState::Up);
    replicas.start_again(0).await;
    becomes("replayed", async || spooled(&replicas.all[0]).await < 0.5).await;
    let db = Db::open(&database).await.unwrap();
    let org = db.org_by_name("default").await.unwrap().unwrap().id;
    let (rows, charged, total, balance) = kept(&db, org).await;
    assert_eq!(rows, reported.iter().copied().collect());
    assert_eq!((rows.len(), rows == charged, total), (reported.len(), true, balance));
}

#[tokio::test(flavor = "multi_thread")]
async fn spooled_entries_are_written_without_a_restart() {
    let Some(database) = postgres().await else { return };
    let link = Link::to(&database).await;
    let replicas = Replicas::start(1, &link.url(), &[]).await;
    let (replica, (_, key)) = (&replicas.all[0], replicas.key().await);
    let asked = project(replica, "Spools", "spool").await;
    heard().await;
    let mut reported = 0;
    for state in [LinkState::Up, LinkState::Silent, LinkState::Up, LinkState::Broken] {
        link.set(state);
        becomes("served", async || analyzed(replica, &key, &asked).await.0 == 200).await;
        reported += 1;
    }
    link.set(LinkState::Up);
    let db = Db::open(&database).await.unwrap();
    let org = db.org_by_name("default").await.unwrap().unwrap().id;
    becomes("written", async || kept(&db, org).await.0.len() >= reported && spooled(replica).await < 0.5)
        .await;
    let (rows, charged, total, balance) = kept(&db, org).await;
    assert_eq!((rows == charged, total), (true, balance));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_revoked_on_another_replica_is_refused_without_the_store() {
    let Some(database) = postgres().await else { return };
    let link = Link::to(&database).await;
    let cut = Replicas::start(1, &link.url(), &[]).await;
    let whole = Replicas::start(1, &database, &[]).await;
    let (id, key) = cut.key().await;
    let (_, other) = cut.key().await;
    let asked = project(&cut.all[0], "Spools", "spool").await;
    heard().await;
    assert_eq!(analyzed(&cut.all[0], &key, &asked).await.0, 200);
    assert_eq!(whole.all[0].delete(&format!("/api-keys/{id}")).await, 200);
    heard().await;
    assert_eq!(analyzed(&cut.all[0], &other, &asked).await.0, 200);
    link.set(LinkState::Broken);
    assert_eq!(analyzed(&cut.all[0], &other, &asked).await.0, 200, "cached callers are still served");
    assert_eq!(analyzed(&cut.all[0], &key, &asked).await.0, 503);
}
