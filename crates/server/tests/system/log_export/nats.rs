//! The log exported to a NATS JetStream stream: each row once and in order, whatever is killed meanwhile.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use async_nats::jetstream::stream::Config;
use guardengine_store::{Db, LogFilter};
use serde_json::{Value, json};
use sqlx::Connection as _;
use tempfile::TempDir;
use uuid::Uuid;

use crate::{
    engines::postgres,
    nats::{Nats, Row, certificate},
    replicas::Replicas,
    served::{Served, run},
};

const STREAM: &str = "guardengine_logs";
/// Another attempt after a failure, a lease that has to end, or both.
const WITHIN: Duration = Duration::from_secs(45);
pub const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";

pub async fn becomes(what: &str, holds: impl AsyncFn() -> bool) {
    let began = Instant::now();
    while !holds().await {
        assert!(began.elapsed() < WITHIN, "{what} not after {:?}", began.elapsed());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn exporting(folder: &TempDir, nats: &Nats, more: &[(&str, &str)]) -> Served {
    let url = nats.url();
    let own = [("LOG_EXPORT__NATS__URL", url.as_str()), ("LOG_EXPORT__NATS__CREATE_STREAM", "true")];
    Served::with(folder.path(), &[&own, more].concat()).await
}

pub fn sqlite(folder: &TempDir) -> String {
    format!("sqlite://{}", folder.path().join("guardengine.db").display())
}

pub async fn judge(served: &Served, prompts: usize) {
    for number in 0..prompts {
        served.answer(ANALYZE, &json!({ "prompt": format!("What is {number} and {number}?") })).await;
    }
}

/// The ids of every row that the database has, by organisation, in the order of their numbers.
pub async fn kept(db: &Db) -> BTreeMap<String, Vec<(i64, String)>> {
    let mut kept = BTreeMap::new();
    for org in db.orgs().await.unwrap() {
        let (rows, _) = db.logs_after(org.id, &LogFilter::default(), 0, u16::MAX).await.unwrap();
        let rows: Vec<_> = rows.into_iter().map(|row| (row.sequence, row.log.id.to_string())).collect();
        kept.insert(org.id.to_string(), rows);
    }
    kept.retain(|_, rows| !rows.is_empty());
    kept
}

/// Makes a second organisation, with copies of the rows of the first.
pub async fn second_org(folder: &TempDir, db: &Db) {
    let (code, org, said) = run(folder.path(), &["admin", "create-org", "--name", "Second"]);
    assert_eq!(code, 0, "{said}");
    let second = db.org_named("Second").await.unwrap().unwrap_or_else(|| panic!("{org}")).id;
    let first = db.org_named("default").await.unwrap().unwrap().id;
    let (rows, _) = db.logs_after(first, &LogFilter::default(), 0, 9).await.unwrap();
    let copies = rows.into_iter().map(|row| {
        let log = guardengine_store::Log { org_id: second, id: Uuid::now_v7(), credits: 0, ..row.log };
        guardengine_store::Decision::of(log, "analyze")
    });
    db.commit_decisions(&copies.collect::<Vec<_>>()).await.unwrap();
}

/// The same of what a stream has.
fn arrived(rows: &[Row]) -> BTreeMap<String, Vec<(i64, String)>> {
    let mut arrived: BTreeMap<String, Vec<(i64, String)>> = BTreeMap::new();
    for row in rows {
        assert_eq!(row.body["log_id"], row.id);
        let org = row.subject.strip_prefix("guardengine.logs.").unwrap();
        arrived.entry(org.to_owned()).or_default().push((row.sequence, row.id.clone()));
    }
    arrived
}

/// Waits until the stream has just what the database has, in that order.
async fn same(db: &Db, nats: &Nats) {
    let kept = kept(db).await;
    let rows = |all: &BTreeMap<String, Vec<_>>| all.values().map(Vec::len).sum::<usize>();
    becomes("exported", async || nats.count(STREAM).await >= rows(&kept)).await;
    assert_eq!(arrived(&nats.rows(STREAM).await), kept);
}

pub async fn figure(served: &Served, name: &str) -> f64 {
    let metrics = served.metrics().await;
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name} in {metrics}")).parse().unwrap()
}

pub async fn ready(served: &Served) -> Value {
    served.get("/readyz").await["log_export"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_row_arrives_as_the_log_tells_it_from_the_first_one_on() {
    let Some(nats) = Nats::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(folder.path()).await;
    judge(&served, 3).await;
    assert_eq!(served.stop(), Some(0));
    let served = exporting(&folder, &nats, &[("LOG_EXPORT__NATS__FROM", "beginning")]).await;
    judge(&served, 4).await;
    let db = Db::open(&sqlite(&folder)).await.unwrap();
    same(&db, &nats).await;

    let rows = nats.rows(STREAM).await;
    let mut told = served.get("/api/logs").await["logs"].as_array().unwrap().clone();
    told.reverse();
    assert_eq!(rows.iter().map(|row| &row.body).collect::<Vec<_>>(), told.iter().collect::<Vec<_>>());
    becomes("counted", async || figure(&served, "guardengine_log_export_lag_rows").await == 0.0).await;
    let exported = figure(&served, "guardengine_log_export_rows_total{outcome=\"exported\"}").await;
    assert!((exported - 7.0).abs() < 0.5 && figure(&served, "guardengine_log_export_broker_up").await > 0.5);
    let standing = json!({ "exports_here": true, "lag_rows": 0, "lag_seconds": 0, "error": null });
    assert_eq!(ready(&served).await, standing);
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_before_stay_where_they_are_unless_they_are_wanted() {
    let Some(nats) = Nats::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(folder.path()).await;
    judge(&served, 3).await;
    assert_eq!(served.stop(), Some(0));
    let served = exporting(&folder, &nats, &[]).await;
    judge(&served, 2).await;
    becomes("exported", async || nats.count(STREAM).await >= 2).await;
    let numbers: Vec<_> = nats.rows(STREAM).await.iter().map(|row| row.sequence).collect();
    assert_eq!(numbers, [4, 5]);
}

#[tokio::test(flavor = "multi_thread")]
async fn guards_do_not_wait_for_a_broker_that_is_gone_and_rows_follow_when_it_is_back() {
    let Some(mut nats) = Nats::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = exporting(&folder, &nats, &[]).await;
    let db = Db::open(&sqlite(&folder)).await.unwrap();
    judge(&served, 5).await;
    same(&db, &nats).await;
    for rows in [3, 8] {
        nats.kill();
        judge(&served, rows).await;
        let unreachable = "guardengine_log_export_error{reason=\"unreachable\"}";
        becomes("told", async || figure(&served, unreachable).await > 0.5).await;
        becomes("measured", async || figure(&served, "guardengine_log_export_lag_rows").await > 0.5).await;
        assert_eq!(ready(&served).await["error"], "unreachable");
        assert!(figure(&served, "guardengine_log_export_broker_up").await < 0.5);
        nats.start_again().await;
        same(&db, &nats).await;
        becomes("well", async || ready(&served).await["error"].is_null()).await;
    }
}

/// Sends prompts until the service is gone.
async fn ask(served: Arc<Served>) {
    while served.post(ANALYZE, &json!({ "prompt": "What is new?" })).send().await.is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::disallowed_methods, reason = "a test waits for its own tasks")]
async fn whatever_is_killed_under_load_each_row_arrives_once_and_in_order() {
    let Some(mut nats) = Nats::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let served = Arc::new(exporting(&folder, &nats, &[]).await);
        let clients: Vec<_> = (0..4).map(|_| tokio::spawn(ask(Arc::clone(&served)))).collect();
        // Later than the lease of the one that was killed before holds.
        tokio::time::sleep(Duration::from_secs(12)).await;
        nats.kill();
        nats.start_again().await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        served.kill();
        for client in clients {
            client.await.unwrap();
        }
    }
    let served = exporting(&folder, &nats, &[]).await;
    let db = Db::open(&sqlite(&folder)).await.unwrap();
    same(&db, &nats).await;
    assert!(nats.count(STREAM).await > 50);
    drop(served);
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_export_once_and_another_goes_on_when_one_is_killed() {
    let (Some(database), Some(nats)) = (postgres().await, Nats::start().await) else { return };
    let settings =
        [("LOG_EXPORT__NATS__URL", nats.url()), ("LOG_EXPORT__NATS__CREATE_STREAM", "true".into())];
    let settings = settings.each_ref().map(|(name, value)| (*name, value.as_str()));
    let mut replicas = Replicas::start(2, &database, &settings).await;
    let db = Db::open(&database).await.unwrap();
    judge(&replicas.all[0], 5).await;
    judge(&replicas.all[1], 5).await;
    same(&db, &nats).await;
    let mut exporters = Vec::new();
    for replica in &replicas.all {
        exporters.push(ready(replica).await["exports_here"] == true);
    }
    assert_eq!(exporters.iter().filter(|exports| **exports).count(), 1);
    let exporter = exporters.iter().position(|exports| *exports).unwrap();
    let killed = replicas.all.remove(exporter);
    judge(&killed, 3).await;
    killed.kill();
    judge(&replicas.all[0], 5).await;
    same(&db, &nats).await;
    assert_eq!(ready(&replicas.all[0]).await["exports_here"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_commits_late_is_not_skipped() {
    let (Some(database), Some(nats)) = (postgres().await, Nats::start().await) else { return };
    let settings =
        [("LOG_EXPORT__NATS__URL", nats.url()), ("LOG_EXPORT__NATS__CREATE_STREAM", "true".into())];
    let settings = settings.each_ref().map(|(name, value)| (*name, value.as_str()));
    let replicas = Replicas::start(1, &database, &settings).await;
    let db = Db::open(&database).await.unwrap();
    judge(&replicas.all[0], 2).await;
    same(&db, &nats).await;

    let other = db.create_org("Other", 99, db.orgs().await.unwrap()[0].created_at).await.unwrap();
    let guardengine_store::Created::Done(other) = other else { unreachable!() };
    let mut slow = sqlx::PgConnection::connect(&database).await.unwrap();
    let mut slow = slow.begin().await.unwrap();
    // What the journal does, held up right before its commit.
    let number = "UPDATE orgs SET log_count = log_count + 1 WHERE id = $1";
    sqlx::query(number).bind(other.id).execute(&mut *slow).await.unwrap();
    let columns: String = sqlx::query_scalar(
        "SELECT string_agg(column_name, ', ') FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = 'logs' AND column_name NOT IN ('org_id', 'id', 'sequence')",
    )
    .fetch_one(&mut *slow)
    .await
    .unwrap();
    let row = format!(
        "INSERT INTO logs (org_id, id, sequence, {columns}) SELECT $1, $2, 1, {columns} FROM logs LIMIT 1"
    );
    let row = sqlx::query(sqlx::AssertSqlSafe(row)).bind(other.id).bind(Uuid::now_v7());
    row.execute(&mut *slow).await.unwrap();

    judge(&replicas.all[0], 3).await;
    same(&db, &nats).await;
    slow.commit().await.unwrap();
    judge(&replicas.all[0], 1).await;
    same(&db, &nats).await;
    assert_eq!(arrived(&nats.rows(STREAM).await).len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stands_in_the_way_is_told_and_ends_when_it_is_put_right() {
    let Some(nats) = Nats::with(&["-js", "--user", "exporter", "--pass", "hunter2"]).await else { return };
    let folder = tempfile::tempdir().unwrap();
    let url = nats.url();
    let start = async |more: &[(&str, &str)]| {
        let own = [("LOG_EXPORT__NATS__URL", url.as_str())];
        Served::with(folder.path(), &[&own, more].concat()).await
    };
    let user = ("LOG_EXPORT__NATS__USERNAME", "exporter");
    let told = async |served: &Served, reason: &str| {
        judge(served, 1).await;
        let name = format!("guardengine_log_export_error{{reason=\"{reason}\"}}");
        becomes(reason, async || figure(served, &name).await > 0.5).await;
        assert_eq!(ready(served).await["error"], reason);
    };
    let served = start(&[user, ("LOG_EXPORT__NATS__PASSWORD", "wrong")]).await;
    told(&served, "sign_in").await;
    assert_eq!(served.stop(), Some(0));
    let served = start(&[("LOG_EXPORT__NATS__CREDENTIALS_FILE", "/nowhere.creds")]).await;
    told(&served, "sign_in").await;
    assert_eq!(served.stop(), Some(0));

    let right = ("LOG_EXPORT__NATS__PASSWORD", "hunter2");
    let served = start(&[user, right]).await;
    told(&served, "no_stream").await;
    let small = Config {
        name: STREAM.into(),
        subjects: vec!["guardengine.>".into()],
        num_replicas: 1,
        max_message_size: 4096,
        ..Config::default()
    };
    nats.make(small).await;
    let db = Db::open(&sqlite(&folder)).await.unwrap();
    same(&db, &nats).await;

    let long = "What a long story. ".repeat(400);
    served.answer(ANALYZE, &json!({ "prompt": long })).await;
    same(&db, &nats).await;
    let rows = nats.rows(STREAM).await;
    let last = rows.last().unwrap();
    assert_eq!((&last.body["text"], last.left_out), (&Value::Null, Some(long.len())));
    assert!(rows[..rows.len() - 1].iter().all(|row| row.left_out.is_none() && row.body["text"].is_string()));
    assert_eq!(served.stop(), Some(0));

    let served = start(&[user, right, ("LOG_EXPORT__NATS__SUBJECT", "other.{org_id}")]).await;
    told(&served, "subject").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn over_tls_the_server_is_held_against_the_authority_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let Some([certificate, key]) = certificate(folder.path()) else { return };
    let tls = ["-js", "--tls", "--tlscert", &certificate, "--tlskey", &key];
    let Some(nats) = Nats::with(&tls).await else { return };
    let url = nats.url().replace("nats://", "tls://");
    let own = [("LOG_EXPORT__NATS__URL", url.as_str()), ("LOG_EXPORT__NATS__CREATE_STREAM", "true")];
    let served = Served::with(folder.path(), &own).await;
    judge(&served, 1).await;
    becomes("refused", async || ready(&served).await["error"] == "unreachable").await;
    assert_eq!(served.stop(), Some(0));
    let authority = ("LOG_EXPORT__NATS__CA_FILE", certificate.as_str());
    let _served = Served::with(folder.path(), &[own[0], own[1], authority]).await;
    let db = Db::open(&sqlite(&folder)).await.unwrap();
    same(&db, &nats).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_jetstream_nothing_is_exported_and_that_is_told() {
    let Some(nats) = Nats::with(&[]).await else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = exporting(&folder, &nats, &[]).await;
    judge(&served, 1).await;
    becomes("told", async || ready(&served).await["error"] == "no_jetstream").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_that_were_forgotten_are_counted_and_do_not_stop_the_others() {
    let Some(nats) = Nats::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(folder.path()).await;
    judge(&served, 6).await;
    assert_eq!(served.stop(), Some(0));
    let mut database = sqlx::SqliteConnection::connect(&sqlite(&folder)).await.unwrap();
    sqlx::query("DELETE FROM logs WHERE sequence IN (1, 3, 4)").execute(&mut database).await.unwrap();
    database.close().await.unwrap();
    let served = exporting(&folder, &nats, &[("LOG_EXPORT__NATS__FROM", "beginning")]).await;
    becomes("exported", async || nats.count(STREAM).await >= 3).await;
    let numbers: Vec<_> = nats.rows(STREAM).await.iter().map(|row| row.sequence).collect();
    assert_eq!(numbers, [2, 5, 6]);
    let forgotten = "guardengine_log_export_rows_total{outcome=\"forgotten\"}";
    becomes("counted", async || (figure(&served, forgotten).await - 3.0).abs() < 0.5).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_organisation_that_is_made_later_is_exported_from_its_first_row() {
    let Some(nats) = Nats::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = exporting(&folder, &nats, &[]).await;
    judge(&served, 2).await;
    let db = Db::open(&sqlite(&folder)).await.unwrap();
    second_org(&folder, &db).await;
    same(&db, &nats).await;
    assert_eq!(arrived(&nats.rows(STREAM).await).len(), 2);
}
