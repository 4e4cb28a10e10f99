//! Random disruptions under load, one after the other: no acknowledged entry is lost, and after each disruption the service
//! answers again in time. `GUARDENGINE_TEST_DISRUPTIONS` sets how many; `scripts/test-disruptions` runs many.

use std::{
    collections::BTreeSet,
    env,
    process::Command,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use guardengine_store::Db;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use serde_json::{Value, json};
use sqlx::{Connection as _, PgConnection};
use tempfile::TempDir;
use tokio::{task::JoinSet, time::sleep};
use uuid::Uuid;

use crate::{
    crash::kept,
    replicas::{ANALYZE, MASTER_KEY},
    support::{
        disk::SmallDisk,
        postgres::{Link, LinkState, postgres},
        process::{LogReader, ServiceProcess, guardengine},
    },
};

const CLIENTS: usize = 4;
/// Pause of a client after each answer. The disk must hold every entry of a long run.
const PAUSE: Duration = Duration::from_millis(20);
/// Time in which a guard call succeeds after a disruption ended. A killed service starts within it too.
const BACK_WITHIN: Duration = Duration::from_secs(if cfg!(debug_assertions) { 15 } else { 5 });
const SEED: u64 = 31;
const DATABASE: &str = "guardengine.db";
/// Long enough for its line to fill pipes and queues after some requests.
const LONG_PATH: usize = 20_000;

#[derive(Clone, Copy, Debug)]
enum Disruption {
    Killed,
    Paused,
    LogStalled,
    LogGone,
    DiskFull,
    StoreLocked,
    LinkBroken,
    LinkSilent,
}

/// The store of the service.
enum Store {
    Embedded(Box<SmallDisk>),
    Postgres { link: Box<Link>, url: String, folder: TempDir },
}

impl Store {
    /// Returns the disruptions that can happen to a service on this store.
    fn disruptions(&self) -> Vec<Disruption> {
        let own = match self {
            Self::Embedded(_) => [Disruption::DiskFull, Disruption::StoreLocked].as_slice(),
            Self::Postgres { .. } => {
                &[Disruption::LinkBroken, Disruption::LinkSilent, Disruption::StoreLocked]
            }
        };
        [&[Disruption::Killed, Disruption::Paused, Disruption::LogStalled, Disruption::LogGone], own].concat()
    }

    fn serve(&self) -> Command {
        match self {
            Self::Embedded(disk) => disk.serve(),
            Self::Postgres { link, folder, .. } => {
                let mut command = guardengine(folder.path(), &["serve"]);
                command.env("GUARDENGINE_DATABASE_URL", link.url()).env("GUARDENGINE_MASTER_KEY", MASTER_KEY);
                command
            }
        }
    }

    /// Opens the database after the service ended.
    async fn open(&self) -> (Db, TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let url = match self {
            Self::Embedded(disk) => {
                for suffix in ["", "-wal"] {
                    let name = format!("{DATABASE}{suffix}");
                    std::fs::copy(disk.file(&name), folder.path().join(&name)).unwrap();
                }
                format!("sqlite://{}", folder.path().join(DATABASE).display())
            }
            Self::Postgres { url, .. } => url.clone(),
        };
        (Db::open(&url).await.unwrap(), folder)
    }

    async fn lock(&self, length: Duration) {
        match self {
            Self::Embedded(disk) => disk.lock(DATABASE, length.as_secs_f32()),
            Self::Postgres { url, .. } => {
                let mut other = PgConnection::connect(url).await.unwrap();
                let mut lock = other.begin().await.unwrap();
                sqlx::query("LOCK TABLE logs IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.unwrap();
                sleep(length).await;
                lock.rollback().await.unwrap();
            }
        }
    }

    async fn cut(&self, state: LinkState, length: Duration) {
        let Self::Postgres { link, .. } = self else { unreachable!("an embedded store has no link") };
        link.set(state);
        sleep(length).await;
        link.set(LinkState::Up);
    }

    async fn fill(&self, length: Duration) {
        let Self::Embedded(disk) = self else { unreachable!("PostgreSQL has a disk of its own") };
        let filler = disk.fill();
        sleep(length).await;
        std::fs::remove_file(filler).unwrap();
    }
}

/// The service that clients call. A killed one is replaced.
type Current = Arc<Mutex<Arc<ServiceProcess>>>;

fn current(served: &Current) -> Arc<ServiceProcess> {
    Arc::clone(&served.lock().unwrap())
}

/// Evaluates a prompt. Returns the log entry if the service acknowledged it.
async fn evaluated(served: &ServiceProcess) -> Option<Uuid> {
    let prompt = json!({ "prompt": "What is the weather like in Oslo today?" });
    let answer = served.post(ANALYZE, &prompt).send().await.ok()?;
    let status = answer.status();
    let body: Value = answer.json().await.ok()?;
    assert!(status == 200 || status == 503, "{status} {body}");
    (status == 200).then(|| body["log_id"].as_str().unwrap().parse().unwrap())
}

/// Sends prompts until it is stopped, and keeps what was acknowledged.
async fn client(served: Current, acknowledged: Arc<Mutex<BTreeSet<Uuid>>>) {
    loop {
        if let Some(entry) = evaluated(&current(&served)).await {
            acknowledged.lock().unwrap().insert(entry);
        }
        sleep(PAUSE).await;
    }
}

/// Fills the log, so that its reader matters.
async fn write_log(served: &ServiceProcess, length: Duration) {
    let (began, path) = (Instant::now(), format!("/{}", "a".repeat(LONG_PATH)));
    while began.elapsed() < length {
        assert_eq!(served.get_as(&Value::Null, &path).await, 404);
    }
}

/// Returns when the cause ended.
async fn suffer(store: &Store, served: &Current, disruption: Disruption, length: Duration) -> Instant {
    let process = current(served);
    match disruption {
        Disruption::Killed => {
            process.kill();
            sleep(length).await;
            let started = Instant::now();
            *served.lock().unwrap() = Arc::new(ServiceProcess::of(store.serve()).await);
            return started;
        }
        Disruption::Paused => {
            process.pause(true);
            sleep(length).await;
            process.pause(false);
        }
        Disruption::LogStalled => {
            process.log_reader(LogReader::Stalls);
            write_log(&process, length).await;
            process.log_reader(LogReader::Reads);
        }
        Disruption::LogGone => {
            process.log_reader(LogReader::Leaves);
            write_log(&process, length).await;
        }
        Disruption::DiskFull => store.fill(length).await,
        Disruption::StoreLocked => store.lock(length).await,
        Disruption::LinkBroken => store.cut(LinkState::Broken, length).await,
        Disruption::LinkSilent => store.cut(LinkState::Silent, length).await,
    }
    Instant::now()
}

/// Lets the service suffer the disruptions in turn, under load, and checks what is kept.
async fn survives_disruptions(store: Store) {
    let disruptions = store.disruptions();
    let count =
        env::var("GUARDENGINE_TEST_DISRUPTIONS").map_or(disruptions.len(), |count| count.parse().unwrap());
    let served: Current = Arc::new(Mutex::new(Arc::new(ServiceProcess::of(store.serve()).await)));
    let acknowledged = Arc::new(Mutex::new(BTreeSet::new()));
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        clients.spawn(client(Arc::clone(&served), Arc::clone(&acknowledged)));
    }
    let mut random = StdRng::seed_from_u64(SEED);
    let mut slowest = Duration::ZERO;
    for number in 0..count {
        // Every disruption happens once, then they are drawn.
        let disruption = disruptions
            [if number < disruptions.len() { number } else { random.random_range(0..disruptions.len()) }];
        let length = Duration::from_millis(random.random_range(100..2000));
        let ended = suffer(&store, &served, disruption, length).await;
        while evaluated(&current(&served)).await.is_none() {
            assert!(
                ended.elapsed() < BACK_WITHIN,
                "disruption {number}, {disruption:?} for {length:?}: not back"
            );
        }
        slowest = slowest.max(ended.elapsed());
        println!("{number} {disruption:?} for {length:?}, back after {:?}", ended.elapsed());
    }
    clients.shutdown().await;
    // A kill: the store must need no clean end.
    drop(served);
    println!("{count} disruptions, slowest recovery {slowest:?}");

    let (db, _folder) = store.open().await;
    let org = db.org_by_name("default").await.unwrap().unwrap().id;
    let (rows, charged, total, balance) = kept(&db, org).await;
    let acknowledged = acknowledged.lock().unwrap();
    assert!(acknowledged.len() > count, "{} requests", acknowledged.len());
    assert!(acknowledged.is_subset(&rows), "{:?} are gone", acknowledged.difference(&rows));
    assert_eq!(rows, charged);
    assert_eq!(total, balance);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_store_loses_nothing_in_random_disruptions() {
    let Some(disk) = SmallDisk::of("512m") else { return };
    survives_disruptions(Store::Embedded(Box::new(disk))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_loses_nothing_in_random_disruptions() {
    let Some(url) = postgres().await else { return };
    let link = Box::new(Link::to(&url).await);
    survives_disruptions(Store::Postgres { link, url, folder: tempfile::tempdir().unwrap() }).await;
}
