//! The shared state of the service.

use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use guardengine_egress::EgressClient;
use guardengine_store::Db;
use guardengine_vault::{MasterKey, Vault};
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
};

/// Shared state of the service; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Shared>);

/// The parts of the shared state.
pub struct Shared {
    /// The effective configuration.
    pub settings: Settings,
    /// Clock.
    pub clock: Clock,
    /// The store.
    pub db: Db,
    /// Degraded mode for when the store is unavailable.
    pub degraded: DegradedMode,
    /// Secrets at rest.
    pub vault: Vault,
    /// Keys that sign access tokens.
    pub signing_keys: SigningKeys,
    /// Password hashes.
    pub passwords: Passwords,
    /// Locks that serialize sign-ins of one user.
    pub sign_in_locks: SignInLocks,
    /// Session and API key activity not yet written.
    pub usage: UsageRecorder,
    /// Counts of unevaluated guard requests not yet written.
    pub unevaluated: UnevaluatedCounts,
    /// Rate limits.
    pub rate_limiter: RateLimiter,
    /// Open streams of the log.
    pub log_streams: StreamLimit,
    /// Open streams of events.
    pub event_streams: StreamLimit,
    /// Background tasks, awaited on shutdown.
    pub tasks: TaskTracker,
    /// Cancels long-running work on shutdown.
    pub draining: CancellationToken,
    /// Cached dashboard metrics.
    pub dashboard: MetricsCache,
    /// The guard.
    pub guard: Guard,
    /// Worker pools for images and audio.
    pub media_workers: Arc<MediaWorkers>,
    /// HTTP client for addresses that tenants configure.
    pub egress: EgressClient,
    /// The organizations' language models.
    pub language_models: LanguageModels,
    /// Status of the log export, if configured.
    pub log_export: Option<log_export::ExportStatus>,
    /// Notified when a connector must be checked at once.
    pub connectors_changed: Notify,
    /// Notified when events wait for delivery.
    pub events_pending: Notify,
    /// Prometheus metrics.
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
    /// Opens all parts according to `settings`. Background jobs run as `tasks` until `stop`.
    pub async fn open(
        settings: Settings,
        clock: Clock,
        tasks: &TaskTracker,
        stop: &CancellationToken,
    ) -> Result<Self> {
        // First, because metrics recorded before are lost.
        let metrics = metering::recorder();
        let Opened { db, vault, folder } = open_store(&settings).await?;
        let log_export = start_log_export(&settings, &db, &clock).await?;
        let signing_keys = SigningKeys::load(db.clone(), vault.clone(), clock.now()).await?;
        let unevaluated = UnevaluatedCounts::default();
        let degraded = DegradedMode::start(&db, &settings, tasks, stop)?;
        let journal = Journal::start(db.clone(), degraded.watch.clone(), unevaluated.clone(), tasks);
        let classifier = classifier(&settings.models)?;
        let egress = EgressClient::new(settings.outgoing).context("outgoing")?;
        let language_models = LanguageModels::new(db.clone(), vault.clone(), egress.clone(), clock.clone());
        let reasoning = Reasoning::new(language_models.clone(), settings.llm.timeout);
        let media_workers = Arc::new(MediaWorkers::new(&settings.media));
        let timeout = settings.media.audio_timeout;
        let transcriber =
            Transcriber::new(Arc::clone(&media_workers), db.clone(), vault.clone(), egress.clone(), timeout);
        let deps = GuardDeps {
            reasoning,
            media_workers: Arc::clone(&media_workers),
            transcriber,
            degraded: degraded.clone(),
        };
        let guard = Guard::new(db.clone(), vault.clone(), journal, &settings, classifier, deps);
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

    /// Writes pending activity now.
    pub async fn write_activity_now(&self) {
        let written = self.usage.write(&self.db).await.and(self.unevaluated.write(&self.db).await);
        if let Err(error) = written {
            tracing::warn!(%error, "could not write activity; retrying later");
        }
    }

    /// Runs the rollup and the deletion of expired data now.
    pub async fn run_maintenance_now(&self) -> guardengine_store::Result<()> {
        dashboard::roll_up(&self.db).await?;
        maintenance::sweep(self).await
    }
}

/// Registers the log export in the store. Runs before the first evaluation, so that a new export misses no log entry.
async fn start_log_export(
    settings: &Settings,
    db: &Db,
    clock: &Clock,
) -> Result<Option<log_export::ExportStatus>> {
    let Some(export) = &settings.log_export else { return Ok(None) };
    db.start_log_export(&export.name(), export.from_beginning(), clock.now()).await?;
    Ok(Some(log_export::ExportStatus::new()))
}

/// The opened store, vault and data directory.
pub struct Opened {
    /// The store.
    pub db: Db,
    /// Secrets at rest.
    pub vault: Vault,
    /// Lock on the data directory.
    pub folder: DataDir,
}

/// Opens the store and the vault, for the service and for operator commands.
pub async fn open_store(settings: &Settings) -> Result<Opened> {
    let folder = DataDir::shared(&settings.data_dir)?;
    let master = master_key(settings)?;
    // Never log the URL: it contains the password.
    let db = Db::open(settings.database_url.expose()).await.context("could not open the database")?;
    if db.is_unfinished_copy().await? {
        bail!("database copy is incomplete; run `guardengine copy` again to finish it");
    }
    Ok(Opened { vault: Vault::new(db.clone(), master), db, folder })
}

/// Loads the master key that `settings` configures.
pub fn master_key(settings: &Settings) -> Result<MasterKey, guardengine_vault::Error> {
    match &settings.master_key {
        Some(configured) => MasterKey::configured(configured.expose()),
        None => MasterKey::of_file(&settings.master_key_file),
    }
}
