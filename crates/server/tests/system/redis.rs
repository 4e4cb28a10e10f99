//! Rate limits beside a Redis that is slow, fails over, refuses its password, or runs out of memory.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};

use crate::support::{
    process::{ServiceProcess, guardengine},
    redis::Redis,
};

const LIMITED: [u16; 5] = [200, 200, 200, 429, 429];

async fn service(folder: &Path, redis: &str) -> ServiceProcess {
    ServiceProcess::with(folder, &[("REDIS_URL", redis), ("LIMITS__ANALYZE", "3/10m")]).await
}

/// Sends five requests, of which a limit admits three.
async fn statuses(service: &ServiceProcess) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..LIMITED.len() {
        let request =
            service.post("/v2/guardengine/svc_firewall_analyze", &json!({ "prompt": "Good morning" }));
        statuses.push(request.send().await.unwrap().status().as_u16());
    }
    statuses
}

async fn until_redis_is(service: &ServiceProcess, up: u8) {
    let began = Instant::now();
    while !service.metrics().await.contains(&format!("\nguardengine_redis_up {up}\n")) {
        assert!(began.elapsed() < Duration::from_secs(10), "guardengine_redis_up is not {up}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Returns status and detail of the check `redis` of `doctor`.
fn doctor(folder: &Path, redis: &str) -> (String, String) {
    let mut command = guardengine(folder, &["doctor", "--json"]);
    let printed = command.env("GUARDENGINE_REDIS_URL", redis).output().unwrap().stdout;
    let printed: Value = serde_json::from_slice(&printed).unwrap();
    let check = printed["checks"].as_array().unwrap().iter().find(|check| check["name"] == "redis").unwrap();
    (check["status"].as_str().unwrap().to_owned(), check["detail"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_does_not_answer_delays_one_request_and_is_used_again() {
    let Some(redis) = Redis::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let service = service(folder.path(), &redis.url()).await;
    assert_eq!(statuses(&service).await, LIMITED);
    redis.signal("STOP");
    let began = Instant::now();
    assert_eq!(statuses(&service).await, LIMITED, "the service counts alone, from zero");
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    until_redis_is(&service, 0).await;
    redis.signal("CONT");
    until_redis_is(&service, 1).await;
    assert_eq!(statuses(&service).await, [429; 5], "the window in Redis goes on");
}

/// Forwards connections to the port that it holds when they are opened.
#[expect(clippy::disallowed_methods, reason = "the tasks of a test end with the test")]
async fn forward(port: Arc<AtomicU16>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut from, _)) = listener.accept().await {
            let port = port.load(Ordering::SeqCst);
            tokio::spawn(async move {
                let mut to = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
                drop(copy_bidirectional(&mut from, &mut to).await);
            });
        }
    });
    format!("redis://{address}")
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_failover_the_new_primary_counts() {
    let (Some(first), Some(second)) = (Redis::start().await, Redis::start().await) else { return };
    let port = Arc::new(AtomicU16::new(first.port()));
    let address = forward(Arc::clone(&port)).await;
    let folder = tempfile::tempdir().unwrap();
    let service = service(folder.path(), &address).await;
    assert_eq!(statuses(&service).await, LIMITED);
    // The old primary lives on as a replica, and keeps its connections.
    let replicate = format!("REPLICAOF 127.0.0.1 {}", second.port());
    assert_eq!(first.command(&replicate).await.unwrap(), "+OK");
    until_redis_is(&service, 0).await;
    port.store(second.port(), Ordering::SeqCst);
    until_redis_is(&service, 1).await;
    assert_eq!(statuses(&service).await, LIMITED, "the new primary has not seen the windows");
    assert_eq!(statuses(&service).await, [429; 5]);
    assert_ne!(second.command("DBSIZE").await.unwrap(), ":0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_leaves_the_service_counting_alone_until_it_is_right() {
    let Some(redis) = Redis::start().await else { return };
    assert_eq!(redis.command("CONFIG SET requirepass right").await.unwrap(), "+OK");
    let folder = tempfile::tempdir().unwrap();
    let wrong = redis.url().replace("redis://", "redis://:wrong@");
    let service = service(folder.path(), &wrong).await;
    until_redis_is(&service, 0).await;
    assert_eq!(statuses(&service).await, LIMITED);
    let (status, detail) = doctor(folder.path(), &wrong);
    assert!(status == "warning" && detail.contains("AuthenticationFailed"), "{status} {detail}");
    assert!(!detail.contains("wrong"), "{detail}");
    redis.command("AUTH right\r\nCONFIG SET requirepass wrong").await.unwrap();
    until_redis_is(&service, 1).await;
    assert_eq!(statuses(&service).await, LIMITED, "counted in Redis");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_without_memory_counts_for_nobody_and_one_that_evicts_is_reported() {
    let Some(redis) = Redis::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let service = service(folder.path(), &redis.url()).await;
    until_redis_is(&service, 1).await;
    assert_eq!(redis.command("CONFIG SET maxmemory 1024").await.unwrap(), "+OK");
    until_redis_is(&service, 0).await;
    assert_eq!(statuses(&service).await, LIMITED);
    assert_eq!(doctor(folder.path(), &redis.url()).0, "warning");
    assert_eq!(redis.command("CONFIG SET maxmemory 1gb").await.unwrap(), "+OK");
    until_redis_is(&service, 1).await;
    assert_eq!(doctor(folder.path(), &redis.url()).0, "ok");
    assert_eq!(redis.command("CONFIG SET maxmemory-policy allkeys-lru").await.unwrap(), "+OK");
    let (status, detail) = doctor(folder.path(), &redis.url());
    assert!(status == "warning" && detail.contains("allkeys-lru"), "{status} {detail}");
}
