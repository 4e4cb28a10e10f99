//! Export of log entries to NATS JetStream.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_nats::jetstream::stream::Config;
use guardengine_store::Db;
use guardengine_store::{Actor, Created};
use guardengine_vault::{MasterKey, Vault};
use serde_json::{Value, json};
use sqlx::Connection as _;
use tempfile::TempDir;
use uuid::Uuid;

use super::{ANALYZE, becomes, evaluate, export_status, metric, second_org, sqlite, stored_entries};
use crate::{
    replicas::{MASTER_KEY, Replicas},
    support::{
        nats::{Nats, Row, certificate},
        postgres::postgres,
        process::ServiceProcess,
    },
};

const STREAM: &str = "guardengine_logs";

async fn exporting(folder: &TempDir, nats: &Nats, more: &[(&str, &str)]) -> ServiceProcess {
    let url = nats.url();
    let own = [("LOG_EXPORT__NATS__URL", url.as_str()), ("LOG_EXPORT__NATS__CREATE_STREAM", "true")];
    ServiceProcess::with(folder.path(), &[&own, more].concat()).await
}

/// Returns the numbers and ids of the entries of a stream, by organization.
fn arrived(rows: &[Row]) -> BTreeMap<String, Vec<(i64, String)>> {
    let mut arrived: BTreeMap<String, Vec<(i64, String)>> = BTreeMap::new();
    for row in rows {
        assert_eq!(row.body["log_id"], row.id);
        let org = row.subject.strip_prefix("guardengine.logs.").unwrap();
        arrived.entry(org.to_owned()).or_default().push((row.sequence, row.id.clone()));
    }
    arrived
}

/// Waits until the stream has exactly the entries of the database, in order.
async fn wait_until_exported(db: &Db, nats: &Nats) {
    let stored = stored_entries(db).await;
    let rows = |all: &BTreeMap<String, Vec<_>>| all.values().map(Vec::len).sum::<usize>();
    becomes("exported", async || nats.count(STREAM).await >= rows(&stored)).await;
    assert_eq!(arrived(&nats.rows(STREAM).await), stored);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_entry_is_exported_as_the_log_shows_it() {
    let Some(nats) = Nats::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = ServiceProcess::start(folder.path()).await;
    evaluate(&served, 3).await;
    assert_eq!(served.stop(), Some(0));
    let served = exporting(&folder, &nats, &[("LOG_EXPORT__NATS__FROM", "beginning")]).await;
    evaluate(&served, 4).await;
    let db = Db::open(&sqlite(&folder)).await.unwrap();
    wait_until_exported(&db, &nats).await;

    let rows = nats.rows(STREAM).await;
    let mut reported = served.get("/api/logs").await["logs"].as_array().unwrap().clone();
    reported.reverse();
    assert_eq!(rows.iter().map(|row| &row.body).collect::<Vec<_>>(), reported.iter().collect::<Vec<_>>());
    becomes("counted", async || metric(&served, "guardengine_log_export_lag_rows").await == 0.0).await;
    let exported = metric(&served, "guardengine_log_export_rows_total{outcome=\"exported\"}").await;
    assert!((exported - 7.0).abs() < 0.5 && metric(&served, "guardengine_log_export_broker_up").await > 0.5);
    let status = json!({ "exports_here": true, "lag_rows": 0, "lag_seconds": 0, "error": null });
    assert_eq!(export_status(&served).await, status);
}

#[tokio::test(flavor = "multi_thread")]
async fn earlier_entries_are_not_exported_by_default() {
    let Some(nats) = Nats::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = ServiceProcess::start(folder.path()).await;
    evaluate(&served, 3).await;
    assert_eq!(served.stop(), Some(0));
    let served = exporting(&folder, &nats, &[]).await;
    evaluate(&served, 2).await;
    becomes("exported", async || nats.count(STREAM).await >= 2).await;
    let numbers: Vec<_> = nats.rows(STREAM).await.iter().map(|row| row.sequence).collect();
    assert_eq!(numbers, [4, 5]);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_do_not_wait_for_a_lost_broker_and_entries_follow_once_it_is_back() {
    let Some(mut nats) = Nats::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = exporting(&folder, &nats, &[]).await;
    let db = Db::open(&sqlite(&folder)).await.unwrap();
    evaluate(&served, 5).await;
    wait_until_exported(&db, &nats).await;
    for rows in [3, 8] {
        nats.kill();
        evaluate(&served, rows).await;
        let unreachable = "guardengine_log_export_error{reason=\"unreachable\"}";
        becomes("reported", async || metric(&served, unreachable).await > 0.5).await;
        becomes("measured", async || metric(&served, "guardengine_log_export_lag_rows").await > 0.5).await;
        assert_eq!(export_status(&served).await["error"], "unreachable");
        assert!(metric(&served, "guardengine_log_export_broker_up").await < 0.5);
        nats.start_again().await;
        wait_until_exported(&db, &nats).await;
        becomes("well", async || export_status(&served).await["error"].is_null()).await;
    }
}

/// Sends prompts until the service is gone.
async fn ask(served: Arc<ServiceProcess>) {
    while served.post(ANALYZE, &json!({ "prompt": "What is new?" })).send().await.is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::disallowed_methods, reason = "a test waits for its own tasks")]
async fn each_entry_arrives_once_and_in_order_despite_kills_under_load() {
    let Some(mut nats) = Nats::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let served = Arc::new(exporting(&folder, &nats, &[]).await);
        let clients: Vec<_> = (0..4).map(|_| tokio::spawn(ask(Arc::clone(&served)))).collect();
        // Long enough for the lease of the killed process to end.
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
    wait_until_exported(&db, &nats).await;
    assert!(nats.count(STREAM).await > 50);
    drop(served);
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_export_once_and_another_takes_over_after_a_kill() {
    let (Some(database), Some(nats)) = (postgres().await, Nats::start().await) else { return };
    let settings =
        [("LOG_EXPORT__NATS__URL", nats.url()), ("LOG_EXPORT__NATS__CREATE_STREAM", "true".into())];
    let settings = settings.each_ref().map(|(name, value)| (*name, value.as_str()));
    let mut replicas = Replicas::start(2, &database, &settings).await;
    let db = Db::open(&database).await.unwrap();
    evaluate(&replicas.all[0], 5).await;
    evaluate(&replicas.all[1], 5).await;
    wait_until_exported(&db, &nats).await;
    let mut exporters = Vec::new();
    for replica in &replicas.all {
        exporters.push(export_status(replica).await["exports_here"] == true);
    }
    assert_eq!(exporters.iter().filter(|exports| **exports).count(), 1);
    let exporter = exporters.iter().position(|exports| *exports).unwrap();
    let killed = replicas.all.remove(exporter);
    evaluate(&killed, 3).await;
    killed.kill();
    evaluate(&replicas.all[0], 5).await;
    wait_until_exported(&db, &nats).await;
    assert_eq!(export_status(&replicas.all[0]).await["exports_here"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_that_commit_late_are_not_skipped() {
    let (Some(database), Some(nats)) = (postgres().await, Nats::start().await) else { return };
    let settings =
        [("LOG_EXPORT__NATS__URL", nats.url()), ("LOG_EXPORT__NATS__CREATE_STREAM", "true".into())];
    let settings = settings.each_ref().map(|(name, value)| (*name, value.as_str()));
    let replicas = Replicas::start(1, &database, &settings).await;
    let db = Db::open(&database).await.unwrap();
    let vault = Vault::new(db.clone(), MasterKey::configured(MASTER_KEY).unwrap());
    assert!(vault.load_audit_key().await.unwrap());
    evaluate(&replicas.all[0], 2).await;
    wait_until_exported(&db, &nats).await;

    let created_at = db.orgs().await.unwrap()[0].created_at;
    let mut tx = db.audited(created_at).await.unwrap();
    let other = tx.create_org("Other", 99, created_at).await.unwrap();
    let actor = Actor { org_id: Uuid::nil(), principal: "operator".to_owned(), address: String::new() };
    tx.commit(&actor, "create-org", "Other", "{}").await.unwrap();
    let Created::Done(other) = other else { unreachable!() };
    let mut slow = sqlx::PgConnection::connect(&database).await.unwrap();
    let mut slow = slow.begin().await.unwrap();
    // The statements of the journal, delayed before their commit.
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

    evaluate(&replicas.all[0], 3).await;
    wait_until_exported(&db, &nats).await;
    slow.commit().await.unwrap();
    evaluate(&replicas.all[0], 1).await;
    wait_until_exported(&db, &nats).await;
    assert_eq!(arrived(&nats.rows(STREAM).await).len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_error_is_reported_until_it_is_fixed() {
    let Some(nats) = Nats::with(&["-js", "--user", "exporter", "--pass", "hunter2"]).await else { return };
    let folder = tempfile::tempdir().unwrap();
    let url = nats.url();
    let start = async |more: &[(&str, &str)]| {
        let own = [("LOG_EXPORT__NATS__URL", url.as_str())];
        ServiceProcess::with(folder.path(), &[&own, more].concat()).await
    };
    let user = ("LOG_EXPORT__NATS__USERNAME", "exporter");
    let assert_reported = async |served: &ServiceProcess, reason: &str| {
        evaluate(served, 1).await;
        let name = format!("guardengine_log_export_error{{reason=\"{reason}\"}}");
        becomes(reason, async || metric(served, &name).await > 0.5).await;
        assert_eq!(export_status(served).await["error"], reason);
    };
    let served = start(&[user, ("LOG_EXPORT__NATS__PASSWORD", "wrong")]).await;
    assert_reported(&served, "sign_in").await;
    assert_eq!(served.stop(), Some(0));
    let served = start(&[("LOG_EXPORT__NATS__CREDENTIALS_FILE", "/nowhere.creds")]).await;
    assert_reported(&served, "sign_in").await;
    assert_eq!(served.stop(), Some(0));

    let right = ("LOG_EXPORT__NATS__PASSWORD", "hunter2");
    let served = start(&[user, right]).await;
    assert_reported(&served, "no_stream").await;
    let small = Config {
        name: STREAM.into(),
        subjects: vec!["guardengine.>".into()],
        num_replicas: 1,
        max_message_size: 4096,
        ..Config::default()
    };
    nats.make(small).await;
    let db = Db::open(&sqlite(&folder)).await.unwrap();
    wait_until_exported(&db, &nats).await;

    let long = "What a long story. ".repeat(400);
    served.answer(ANALYZE, &json!({ "prompt": long })).await;
    wait_until_exported(&db, &nats).await;
    let rows = nats.rows(STREAM).await;
    let last = rows.last().unwrap();
    assert_eq!((&last.body["text"], last.left_out), (&Value::Null, Some(long.len())));
    assert!(rows[..rows.len() - 1].iter().all(|row| row.left_out.is_none() && row.body["text"].is_string()));
    assert_eq!(served.stop(), Some(0));

    let served = start(&[user, right, ("LOG_EXPORT__NATS__SUBJECT", "other.{org_id}")]).await;
    assert_reported(&served, "subject").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tls_server_is_verified_with_the_configured_authority() {
    let folder = tempfile::tempdir().unwrap();
    let Some([certificate, key]) = certificate(folder.path()) else { return };
    let tls = ["-js", "--tls", "--tlscert", &certificate, "--tlskey", &key];
    let Some(nats) = Nats::with(&tls).await else { return };
    let url = nats.url().replace("nats://", "tls://");
    let own = [("LOG_EXPORT__NATS__URL", url.as_str()), ("LOG_EXPORT__NATS__CREATE_STREAM", "true")];
    let served = ServiceProcess::with(folder.path(), &own).await;
    evaluate(&served, 1).await;
    becomes("refused", async || export_status(&served).await["error"] == "unreachable").await;
    assert_eq!(served.stop(), Some(0));
    let authority = ("LOG_EXPORT__NATS__CA_FILE", certificate.as_str());
    let _served = ServiceProcess::with(folder.path(), &[own[0], own[1], authority]).await;
    let db = Db::open(&sqlite(&folder)).await.unwrap();
    wait_until_exported(&db, &nats).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_jetstream_nothing_is_exported_and_an_error_is_reported() {
    let Some(nats) = Nats::with(&[]).await else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = exporting(&folder, &nats, &[]).await;
    evaluate(&served, 1).await;
    becomes("reported", async || export_status(&served).await["error"] == "no_jetstream").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_entries_are_counted_and_do_not_stop_the_export() {
    let Some(nats) = Nats::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = ServiceProcess::start(folder.path()).await;
    evaluate(&served, 6).await;
    assert_eq!(served.stop(), Some(0));
    let mut database = sqlx::SqliteConnection::connect(&sqlite(&folder)).await.unwrap();
    sqlx::query("DELETE FROM logs WHERE sequence IN (1, 3, 4)").execute(&mut database).await.unwrap();
    database.close().await.unwrap();
    let served = exporting(&folder, &nats, &[("LOG_EXPORT__NATS__FROM", "beginning")]).await;
    becomes("exported", async || nats.count(STREAM).await >= 3).await;
    let numbers: Vec<_> = nats.rows(STREAM).await.iter().map(|row| row.sequence).collect();
    assert_eq!(numbers, [2, 5, 6]);
    let forgotten = "guardengine_log_export_rows_total{outcome=\"forgotten\"}";
    becomes("counted", async || (metric(&served, forgotten).await - 3.0).abs() < 0.5).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_organization_is_exported_from_its_first_entry() {
    let Some(nats) = Nats::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = exporting(&folder, &nats, &[]).await;
    evaluate(&served, 2).await;
    let db = Db::open(&sqlite(&folder)).await.unwrap();
    second_org(&folder, &db).await;
    wait_until_exported(&db, &nats).await;
    assert_eq!(arrived(&nats.rows(STREAM).await).len(), 2);
}
