//! Replicas on one PostgreSQL and one Redis.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use futures::future::join_all;
use guardengine_store::Db;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

use crate::{
    crash::{acknowledged, kept},
    support::{
        postgres::postgres,
        process::{PASSWORD, ServiceProcess},
        redis::Redis,
    },
};

/// Time in which a change applies to other replicas.
const HOLDS_WITHIN: Duration = Duration::from_secs(1);
pub const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";

/// The master key of the replicas.
pub const MASTER_KEY: &str = "c2V2ZW50ZWVuIHBsdXMgZmlmdGVlbiBpcyAzMi4uLi4=";

/// Replicas, each with its own data directory.
pub struct Replicas {
    pub all: Vec<ServiceProcess>,
    folders: Vec<TempDir>,
    settings: Vec<(String, String)>,
}

impl Replicas {
    /// Starts replicas on a database with these settings.
    pub async fn start(count: usize, database: &str, settings: &[(&str, &str)]) -> Self {
        let own = [("DATABASE_URL", database), ("MASTER_KEY", MASTER_KEY), ("LIMITS__TOKEN", "off")];
        let settings = own.iter().chain(settings).map(|(name, value)| ((*name).into(), (*value).into()));
        let mut replicas = Self { all: Vec::new(), folders: Vec::new(), settings: settings.collect() };
        for _ in 0..count {
            replicas.add().await;
        }
        replicas
    }

    pub async fn add(&mut self) {
        let folder = tempfile::tempdir().unwrap();
        self.all.push(self.on(&folder).await);
        self.folders.push(folder);
    }

    /// Restarts a replica that ended, with its data directory.
    pub async fn start_again(&mut self, number: usize) {
        self.all[number] = self.on(&self.folders[number]).await;
    }

    async fn on(&self, folder: &TempDir) -> ServiceProcess {
        let settings: Vec<_> =
            self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        ServiceProcess::with(folder.path(), &settings).await
    }

    /// Creates an API key of the owner and returns its id and the key.
    pub async fn key(&self) -> (String, String) {
        let made = self.all[0].answer("/api-keys/create?name=replicas", &json!({})).await;
        let text = |field: &str| made[field].as_str().unwrap().to_owned();
        (text("key_id"), text("api_key"))
    }
}

/// Evaluates a prompt and returns the status and the body.
pub async fn analyzed(replica: &ServiceProcess, key: &str, body: &Value) -> (StatusCode, Value) {
    let answer =
        replica.request(Method::POST, ANALYZE).header("x-api-key", key).json(body).send().await.unwrap();
    (answer.status(), answer.json().await.unwrap_or_default())
}

fn prompt() -> Value {
    json!({ "prompt": "What is the weather like in Oslo today?" })
}

/// Fails unless `holds` becomes true in time.
async fn holds(what: &str, holds: impl AsyncFn() -> bool) {
    let began = Instant::now();
    while !holds().await {
        assert!(began.elapsed() < HOLDS_WITHIN, "{what} does not hold after {:?}", began.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn changes_on_one_replica_apply_to_the_others_within_a_second() {
    let (Some(database), Some(redis)) = (postgres().await, Redis::start().await) else { return };
    let replicas = Replicas::start(2, &database, &[("REDIS_URL", &redis.url())]).await;
    let [one, other] = &replicas.all[..] else { unreachable!() };

    let (key_id, key) = replicas.key().await;
    assert_eq!(analyzed(other, &key, &prompt()).await.0, 200);
    assert_eq!(one.delete(&format!("/api-keys/{key_id}")).await, 200);
    holds("a revocation", async || analyzed(other, &key, &prompt()).await.0 == 401).await;

    let user = json!({ "username": "dev", "password": PASSWORD, "role": "developer" });
    let user = one.answer("/api/users", &user).await["user_id"].as_str().unwrap().to_owned();
    let token = one.sign_in("dev").await;
    let status = async |path: &str| other.get_as(&token["access_token"], path).await;
    assert_eq!(status("/api-keys/list").await, 200);
    assert_eq!(one.put(&format!("/api/users/{user}"), &json!({ "role": "viewer" })).await, 200);
    holds("a role", async || status("/api-keys/list").await == 403).await;
    let refresh = json!({ "refresh_token": token["refresh_token"] });
    assert_eq!(one.post_as(&token["access_token"], "/logout", &refresh).await, 200);
    holds("a logout", async || status("/api/policy/list").await == 401).await;

    let (_, key) = replicas.key().await;
    let policy = one.answer("/api/policy/create", &json!({ "policyName": "Open" })).await["policyId"].clone();
    let project = json!({ "projectName": "Shop", "policyId": policy });
    let project = one.answer("/api/project/create", &project).await["projectId"].clone();
    let asked = json!({ "prompt": "What is the weather like in Oslo today?", "projectId": project });
    assert_eq!(analyzed(other, &key, &asked).await.1["overall_decision"], "allow");
    let stricter = json!({ "blocked_keywords": ["weather"] });
    assert_eq!(one.put(&format!("/api/policy/{}", policy.as_str().unwrap()), &stricter).await, 200);
    holds("a policy", async || analyzed(other, &key, &asked).await.1["overall_decision"] == "block").await;
    assert_eq!(one.delete(&format!("/api/project/{}", project.as_str().unwrap())).await, 200);
    holds("a deletion", async || analyzed(other, &key, &asked).await.0 == 404).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_and_credits_are_exact_among_replicas() {
    let (Some(database), Some(redis)) = (postgres().await, Redis::start().await) else { return };
    let settings = [("REDIS_URL", redis.url()), ("LIMITS__ANALYZE", "60/10m".into())];
    let settings = settings.each_ref().map(|(name, value)| (*name, value.as_str()));
    let replicas =
        Replicas::start(3, &database, &[settings[0], settings[1], ("CREDITS__INITIAL", "100")]).await;
    let (_, key) = replicas.key().await;
    let many = join_all((0..120).map(|at| {
        let (replica, key) = (&replicas.all[at % 3], &key);
        async move { analyzed(replica, key, &prompt()).await }
    }));
    let many = many.await;
    let with = |status: u16| many.iter().filter(move |(answered, _)| *answered == status);
    assert_eq!((with(200).count(), with(429).count()), (60, 60));
    let reported: BTreeSet<_> = with(429).map(|(_, body)| body["detail"]["reset_at"].to_string()).collect();
    let (_, detail) = with(429).next().unwrap();
    assert_eq!(
        (reported.len(), &detail["detail"]["limit"], &detail["detail"]["window"]),
        (1, &60.into(), &600.into())
    );

    let (_, other_key) = replicas.key().await;
    let more = join_all((0..60).map(|at| {
        let (replica, key) = (&replicas.all[at % 3], &other_key);
        async move { analyzed(replica, key, &prompt()).await.0.as_u16() }
    }));
    let more = more.await;
    let paid = more.iter().filter(|status| **status == 200).count();
    let refused = more.iter().filter(|status| **status == 403).count();
    assert_eq!((paid, refused), (40, 20));
    let db = Db::open(&database).await.unwrap();
    let org = db.org_by_name("default").await.unwrap().unwrap().id;
    let (rows, charged, total, balance) = kept(&db, org).await;
    assert_eq!((rows.len(), rows == charged, total, balance), (100, true, 0, 0));
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::disallowed_methods, reason = "a test waits for its own tasks")]
async fn a_replica_killed_under_load_loses_no_acknowledged_entry() {
    let (Some(database), Some(redis)) = (postgres().await, Redis::start().await) else { return };
    let replicas = Replicas::start(3, &database, &[("REDIS_URL", &redis.url())]).await;
    let all: Vec<_> = replicas.all.into_iter().map(std::sync::Arc::new).collect();
    let clients: Vec<_> = (0..12).map(|at| tokio::spawn(acknowledged(all[at % 3].clone()))).collect();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    all[0].kill();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    all[1].kill();
    all[2].kill();
    let mut reported: Vec<Uuid> = Vec::new();
    for client in clients {
        reported.extend(client.await.unwrap());
    }
    let once: BTreeSet<_> = reported.iter().copied().collect();
    assert_eq!(once.len(), reported.len());
    let db = Db::open(&database).await.unwrap();
    let org = db.org_by_name("default").await.unwrap().unwrap().id;
    let (rows, charged, total, balance) = kept(&db, org).await;
    assert!(reported.len() > 12 && once.is_subset(&rows), "{:?}", once.difference(&rows));
    assert_eq!((rows == charged, total), (true, balance));
}

#[tokio::test]
async fn replicas_work_without_redis_and_use_it_again_once_it_is_back() {
    let (Some(database), Some(mut redis)) = (postgres().await, Redis::start().await) else { return };
    let url = redis.url();
    let settings = [("REDIS_URL", url.as_str()), ("LIMITS__ANALYZE", "3/10m"), ("LIMITS__LOGIN", "off")];
    let replicas = Replicas::start(2, &database, &settings).await;
    let (_, key) = replicas.key().await;
    let statuses = async || {
        let mut statuses = Vec::new();
        for at in 0..8 {
            statuses.push(analyzed(&replicas.all[at % 2], &key, &prompt()).await.0.as_u16());
        }
        statuses
    };
    assert_eq!(statuses().await, [200, 200, 200, 429, 429, 429, 429, 429]);
    assert_eq!(redis.command("FLUSHALL").await.unwrap(), "+OK");
    assert_eq!(statuses().await, [200, 200, 200, 429, 429, 429, 429, 429]);

    redis.kill();
    // Each replica counts alone, with the whole limit.
    assert_eq!(statuses().await, [200, 200, 200, 200, 200, 200, 429, 429]);
    assert!(replicas.all[0].metrics().await.contains("\nguardengine_redis_up 0\n"));
    for attempt in 0..5 {
        assert_eq!(replicas.all[attempt % 2].signs_in("admin", "wrong").await, 401);
    }
    assert_eq!(replicas.all[0].signs_in("admin", PASSWORD).await, 429, "the lockout is in the database");

    redis.start_again().await;
    let began = Instant::now();
    while !join_all(replicas.all.iter().map(ServiceProcess::metrics))
        .await
        .iter()
        .all(|all| all.contains("\nguardengine_redis_up 1\n"))
    {
        assert!(began.elapsed() < Duration::from_secs(10), "Redis is not used again");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(statuses().await, [200, 200, 200, 429, 429, 429, 429, 429]);
}

#[tokio::test]
async fn replicas_create_each_partition_of_the_log_once() {
    let Some(database) = postgres().await else { return };
    let replicas = Replicas::start(2, &database, &[]).await;
    let (_, key) = replicas.key().await;
    let pool = sqlx::PgPool::connect(&database).await.unwrap();
    let months = async || -> i64 {
        let count = "SELECT COUNT(*) FROM pg_inherits WHERE inhparent = 'logs'::regclass";
        sqlx::query_scalar(count).fetch_one(&pool).await.unwrap()
    };
    // The current month, the next one and one for clocks that are off.
    holds("a month made ahead", async || months().await == 3).await;
    for replica in &replicas.all {
        assert_eq!(analyzed(replica, &key, &prompt()).await.0, 200);
    }
    assert_eq!(months().await, 3);
}
