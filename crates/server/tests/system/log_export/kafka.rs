//! Export of log entries to Kafka, on a [fake cluster](crate::support::kafka).

use std::collections::{BTreeMap, BTreeSet};

use guardengine_store::{Db, Timestamp};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{ANALYZE, becomes, evaluate, export_status, metric, second_org, sqlite, stored_entries};
use crate::support::{
    kafka::{Kafka, Record},
    process::ServiceProcess,
    size_limited_broker::limit_size,
};

const TOPIC: &str = "guardengine_logs";

async fn exporting(folder: &TempDir, brokers: &str, more: &[(&str, &str)]) -> ServiceProcess {
    ServiceProcess::with(folder.path(), &[&[("LOG_EXPORT__KAFKA__BROKERS", brokers)], more].concat()).await
}

/// Returns the numbers and ids of the entries of a topic, by key, and the number of duplicates.
fn arrived(records: &[Record]) -> (BTreeMap<String, Vec<(i64, String)>>, usize) {
    let (mut arrived, mut seen) = (BTreeMap::<String, Vec<_>>::new(), BTreeSet::new());
    for record in records {
        let id = record.headers["Guardengine-Log-Id"].clone();
        assert_eq!(record.body["log_id"], id);
        if seen.insert(id.clone()) {
            let number = record.headers["Guardengine-Sequence"].parse().unwrap();
            arrived.entry(record.key.clone()).or_default().push((number, id));
        }
    }
    (arrived, records.len() - seen.len())
}

/// Waits until the topic has the entries of the database, in order. Returns the number of duplicates.
async fn wait_until_exported(db: &Db, kafka: &Kafka) -> usize {
    let stored = stored_entries(db).await;
    becomes("exported", async || arrived(&kafka.records(TOPIC)).0 == stored).await;
    arrived(&kafka.records(TOPIC)).1
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_of_each_organization_arrive_in_order_in_its_partition() {
    let Some(kafka) = Kafka::start() else { return };
    kafka.make(TOPIC);
    let folder = tempfile::tempdir().unwrap();
    let served = exporting(&folder, &kafka.address, &[("LOG_EXPORT__KAFKA__FROM", "beginning")]).await;
    evaluate(&served, 4).await;
    let db = Db::open(&sqlite(&folder)).await.unwrap();
    second_org(&folder, &db).await;
    assert_eq!(wait_until_exported(&db, &kafka).await, 0, "no entry arrives twice");
    evaluate(&served, 2).await;
    assert_eq!(wait_until_exported(&db, &kafka).await, 0);

    let records = kafka.records(TOPIC);
    let mut reported = served.get("/api/logs").await["logs"].as_array().unwrap().clone();
    reported.reverse();
    let own: Vec<_> = records.iter().filter(|record| reported.contains(&record.body)).collect();
    assert_eq!(
        own.iter().map(|record| &record.body).collect::<Vec<_>>(),
        reported.iter().collect::<Vec<_>>()
    );
    let places: BTreeSet<_> = records.iter().map(|record| (&record.key, record.partition)).collect();
    assert_eq!(places.len(), 2, "one partition for each organization");
    for (key, partition) in places {
        assert_eq!(partition, kafka.partition_of(key));
    }
    for record in &records {
        let made: Timestamp = record.body["created_at"].as_str().unwrap().parse().unwrap();
        assert_eq!(record.time, made.micros() / 1000);
    }
    let exported = metric(&served, "guardengine_log_export_rows_total{outcome=\"exported\"}").await;
    assert!((exported - 10.0).abs() < 0.5 && metric(&served, "guardengine_log_export_broker_up").await > 0.5);
    becomes("counted", async || export_status(&served).await["lag_rows"] == 0).await;
    let status = json!({ "exports_here": true, "lag_rows": 0, "lag_seconds": 0, "error": null });
    assert_eq!(export_status(&served).await, status);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hanging_broker_loses_no_entry_and_duplicates_are_counted() {
    let Some(kafka) = Kafka::start() else { return };
    kafka.make(TOPIC);
    let folder = tempfile::tempdir().unwrap();
    let served = exporting(&folder, &kafka.address, &[]).await;
    let db = Db::open(&sqlite(&folder)).await.unwrap();
    evaluate(&served, 3).await;
    wait_until_exported(&db, &kafka).await;
    kafka.hang();
    evaluate(&served, 5).await;
    becomes("reported", async || export_status(&served).await["error"] == "unacknowledged").await;
    kafka.go_on();
    let twice = wait_until_exported(&db, &kafka).await;
    let unacknowledged =
        metric(&served, "guardengine_log_export_rows_total{outcome=\"unacknowledged\"}").await;
    assert!(twice as f64 <= unacknowledged, "{twice} of {unacknowledged}");
    becomes("well", async || export_status(&served).await["error"].is_null()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_too_large_for_the_topic_is_sent_without_its_text() {
    let Some(kafka) = Kafka::start() else { return };
    kafka.make(TOPIC);
    let folder = tempfile::tempdir().unwrap();
    let served = ServiceProcess::start(folder.path()).await;
    let long = "What a long story. ".repeat(800);
    evaluate(&served, 9).await;
    served.answer(ANALYZE, &json!({ "prompt": long })).await;
    evaluate(&served, 1).await;
    assert_eq!(served.stop(), Some(0));
    let small = limit_size(&kafka.address, 8192).await;
    let _served = exporting(&folder, &small, &[("LOG_EXPORT__KAFKA__FROM", "beginning")]).await;
    let db = Db::open(&sqlite(&folder)).await.unwrap();
    assert_eq!(wait_until_exported(&db, &kafka).await, 0);
    let without = |record: &&Record| record.body["text"].is_null();
    let records = kafka.records(TOPIC);
    let without: Vec<_> = records.iter().filter(without).map(|record| &record.headers).collect();
    assert_eq!(without.len(), 1);
    assert_eq!(without[0]["Guardengine-Text-Left-Out"], long.len().to_string());
    assert_eq!(without[0]["Guardengine-Sequence"], "10");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_of_a_topic_is_reported_until_it_is_fixed() {
    let Some(kafka) = Kafka::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let login = [
        ("LOG_EXPORT__KAFKA__MECHANISM", "scram-sha-256"),
        ("LOG_EXPORT__KAFKA__USERNAME", "exporter"),
        ("LOG_EXPORT__KAFKA__PASSWORD", "hunter2"),
    ];
    let tls = [("LOG_EXPORT__KAFKA__TLS", "true"), ("LOG_EXPORT__KAFKA__CA_FILE", "/nowhere.pem")];
    let assert_reported = async |served: &ServiceProcess, reason: &str| {
        evaluate(served, 1).await;
        let name = format!("guardengine_log_export_error{{reason=\"{reason}\"}}");
        becomes(reason, async || metric(served, &name).await > 0.5).await;
        assert_eq!(export_status(served).await["error"], reason);
    };
    for (brokers, settings, reason) in [
        ("127.0.0.1:1", [].as_slice(), "unreachable"),
        (kafka.address.as_str(), &tls, "unreachable"),
        (kafka.address.as_str(), &login, "sign_in"),
    ] {
        let served = exporting(&folder, brokers, settings).await;
        assert_reported(&served, reason).await;
        assert_eq!(served.stop(), Some(0));
    }
    let served = exporting(&folder, &kafka.address, &[]).await;
    assert_reported(&served, "no_topic").await;
    assert!(kafka.records("unused").is_empty());
    kafka.make(TOPIC);
    let db = Db::open(&sqlite(&folder)).await.unwrap();
    wait_until_exported(&db, &kafka).await;
    becomes("well", async || export_status(&served).await["error"] == Value::Null).await;
}
