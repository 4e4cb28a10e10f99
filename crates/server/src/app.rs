//! What handlers share.

use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use guardengine_egress::EgressClient;
use guardengine_store::Db;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::Notify;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    auth::{password::Passwords, sign_in::SignInLocks, signing_keys::SigningKeys, usage::UsageRecorder},
    clock::Clock,
    config::Settings,
    dashboard::{self, MetricsCache},
    data_dir::DataDir,
    degraded::DegradedMode,
    guard::{Guard, GuardDeps, classifier::classifier},
    http::metering,
    journal::Journal,
    llm::LanguageModels,
    log_export, maintenance,
    media::{MediaWorkers, Transcriber},
    outcome_counter::UnevaluatedCounts,
    rate_limit::RateLimiter,
    reasoning::Reasoning,
    streams::StreamLimit,
    vault::{self, MasterKey, Vault},
};

/// What handlers share; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Shared>);

/// The shared parts.
pub struct Shared {
    /// The effective configuration.
    pub settings: Settings,
    /// The time.
    pub clock: Clock,
    /// Rows.
    pub db: Db,
    /// What there is for the time without the store.
    pub degraded: DegradedMode,
    /// Secrets at rest.
    pub vault: Vault,
    /// What signs access tokens.
    pub signing_keys: SigningKeys,
    /// Password hashes.
    pub passwords: Passwords,
    /// Turns to sign in.
    pub sign_in_locks: SignInLocks,
    /// Activity not yet written.
    pub usage: UsageRecorder,
    /// Guard requests that were not judged, not yet written.
    pub unevaluated: UnevaluatedCounts,
    /// Rate limits.
    pub rate_limiter: RateLimiter,
    /// Open streams of the log.
    pub log_streams: StreamLimit,
    /// Open streams of events.
    pub event_streams: StreamLimit,
    /// Background work, awaited at a stop.
    pub tasks: TaskTracker,
    /// Ends what would hold up a stop.
    pub draining: CancellationToken,
    /// The dashboard's figures.
    pub dashboard: MetricsCache,
    /// The guard.
    pub guard: Guard,
    /// Those who read pictures and recordings.
    pub media_workers: Arc<MediaWorkers>,
    /// Calls to whatever tenants name.
    pub egress: EgressClient,
    /// The organisations' language models.
    pub language_models: LanguageModels,
    /// How the export of the log stands, where there is one.
    pub log_export: Option<log_export::ExportStatus>,
    /// Told when a connector is to be checked at once.
    pub connectors_changed: Notify,
    /// Told when a webhook has more events before it.
    pub events_pending: Notify,
    /// Metrics.
    pub metrics: PrometheusHandle,
    _folder: DataDir,
}

impl std::ops::Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl App {
    /// Opens everything that `settings` name; background work runs as `tasks` until `stop`.
    pub async fn open(
        settings: Settings,
        clock: Clock,
        tasks: &TaskTracker,
        stop: &CancellationToken,
    ) -> Result<Self> {
        // First: what is measured before it is there is lost.
        let metrics = metering::recorder();
        let Opened { db, vault, folder } = open_store(&settings).await?;
        let log_export = begin_log_export(&settings, &db, &clock).await?;
        let signing_keys = SigningKeys::load(db.clone(), vault.clone(), clock.now()).await?;
        let unevaluated = UnevaluatedCounts::default();
        let degraded = DegradedMode::start(&db, &settings, tasks, stop)?;
        let journal = Journal::start(db.clone(), degraded.watch.clone(), unevaluated.clone(), tasks);
        let classifier = classifier(&settings.models)?;
        let egress = EgressClient::new(settings.outgoing).context("outgoing")?;
        let language_models = LanguageModels::new(db.clone(), vault.clone(), egress.clone(), clock.clone());
        let reasoning = Reasoning::new(language_models.clone(), settings.llm.timeout);
        let media_workers = Arc::new(MediaWorkers::new(&settings.media));
        let time = settings.media.audio_timeout;
        let transcriber =
            Transcriber::new(Arc::clone(&media_workers), db.clone(), vault.clone(), egress.clone(), time);
        let peers = GuardDeps {
            reasoning,
            media_workers: Arc::clone(&media_workers),
            transcriber,
            degraded: degraded.clone(),
        };
        let guard = Guard::new(db.clone(), vault.clone(), journal, &settings, classifier, peers);
        let app = Self(Arc::new(Shared {
            clock,
            signing_keys,
            passwords: Passwords::default(),
            sign_in_locks: SignInLocks::default(),
            usage: UsageRecorder::default(),
            unevaluated,
            rate_limiter: RateLimiter::open(settings.redis_url.as_ref(), tasks, stop)?,
            log_streams: StreamLimit::default(),
            event_streams: StreamLimit::default(),
            tasks: tasks.clone(),
            draining: CancellationToken::new(),
            metrics,
            dashboard: MetricsCache::default(),
            guard,
            media_workers,
            egress,
            language_models,
            log_export,
            connectors_changed: Notify::new(),
            events_pending: Notify::new(),
            db,
            degraded,
            vault,
            settings,
            _folder: folder,
        }));
        maintenance::start(&app, tasks, stop);
        Ok(app)
    }

    /// Writes what the background has not written yet.
    pub async fn write_activity_now(&self) {
        let written = self.usage.write(&self.db).await.and(self.unevaluated.write(&self.db).await);
        if let Err(fault) = written {
            tracing::warn!(%fault, "activity not written, kept for the next time");
        }
    }

    /// Adds up rows, and forgets what is over, as the background does.
    pub async fn run_maintenance_now(&self) -> guardengine_store::Result<()> {
        dashboard::roll_up(&self.db).await?;
        maintenance::sweep(self).await
    }
}

/// Before anything is judged: an export that begins now leaves no row out.
async fn begin_log_export(
    settings: &Settings,
    db: &Db,
    clock: &Clock,
) -> Result<Option<log_export::ExportStatus>> {
    let Some(wanted) = &settings.log_export else { return Ok(None) };
    db.start_log_export(&wanted.name(), wanted.from_beginning(), clock.now()).await?;
    Ok(Some(log_export::ExportStatus::new()))
}

/// What is on disk, opened.
pub struct Opened {
    /// Rows.
    pub db: Db,
    /// Secrets at rest.
    pub vault: Vault,
    /// Held as long as they are in use.
    pub folder: DataDir,
}

/// The store and the vault, as the service and the operator's commands open them.
pub async fn open_store(settings: &Settings) -> Result<Opened> {
    let folder = DataDir::shared(&settings.data_dir)?;
    let master = master_key(settings)?;
    // The address of a PostgreSQL database holds a password: it is not told.
    let db = Db::open(settings.database_url.expose()).await.context("cannot open the database")?;
    if db.is_unfinished_copy().await? {
        bail!("the database is a copy that was not finished: give guardengine copy again");
    }
    Ok(Opened { vault: Vault::new(db.clone(), master), db, folder })
}

/// The master key that `settings` name.
pub fn master_key(settings: &Settings) -> Result<MasterKey, vault::Error> {
    match &settings.master_key {
        Some(configured) => MasterKey::configured(configured.expose()),
        None => MasterKey::of_file(&settings.master_key_file),
    }
}
