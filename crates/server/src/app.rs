//! The state of the service, in parts: a handler names the parts that it uses in its arguments.

use std::{ops::Deref, sync::Arc, time::Instant};

use anyhow::{Context as _, Result, bail};
use axum::extract::FromRef;
use guardengine_auth::Auth;
use guardengine_egress::EgressClient;
use guardengine_guard::{Guard, GuardDeps};
use guardengine_integrations::Integrations;
use guardengine_log_export::Exporter;
use guardengine_store::{AuditedTx, Clock, Db, StoreHealth};
use guardengine_vault::{MasterKey, Vault};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    config::Settings,
    dashboard::MetricsCache,
    data_dir::DataDir,
    evaluation::runner::Evaluations,
    http::{Admission, AdmissionState, BodyBudget, layers, rate_limit::RateLimiter, sse::StreamLimit},
    routes::audit::verify::Verifications,
    surfaces::{CallMemory, GatewayCalls},
    trace_export::TraceExport,
};

/// State of the service; cheap to clone.
#[derive(Clone, FromRef)]
pub struct App {
    /// Store and clock.
    pub tenants: Tenants,
    /// Authentication.
    pub auth: Auth,
    /// The guard.
    pub guard: Guard,
    /// Runs of policies over datasets.
    pub evaluations: Evaluations,
    /// Integrations with third-party systems.
    pub integrations: Integrations,
    /// Settings, health, metrics and shutdown, for operators.
    pub operations: Operations,
    /// Open streams.
    pub streams: Streams,
    /// Checks before every handler.
    pub admission: Admission,
    /// Calls of surfaces that clients may repeat.
    pub call_memory: CallMemory,
    /// Calls of models in progress.
    pub gateway_calls: GatewayCalls,
}

/// The store of all tenants, and the clock that timestamps changes.
#[derive(Clone)]
pub struct Tenants {
    /// The store.
    pub db: Db,
    /// Clock.
    pub clock: Clock,
}

impl Tenants {
    /// Begins a transaction for changes that end with [`commit`](guardengine_auth::audit::commit). Until then, use no
    /// other writing method of the database: on SQLite there is one writing connection.
    pub async fn audited(&self) -> guardengine_store::Result<AuditedTx> {
        self.db.audited(self.clock.now()).await
    }
}

/// Settings, health, metrics and shutdown of the service, for operators; cheap to clone.
#[derive(Clone)]
pub struct Operations(Arc<OperationsState>);

/// The parts of [`Operations`].
pub struct OperationsState {
    /// The effective configuration.
    pub settings: Settings,
    /// Health of the store.
    pub health: StoreHealth,
    /// Cached dashboard metrics.
    pub dashboard: MetricsCache,
    /// Running verifications of audit trails.
    pub verifications: Verifications,
    /// The log export, if configured.
    pub log_export: Option<Exporter>,
    /// The sender of traces, if configured.
    pub traces: Option<TraceExport>,
    /// Prometheus metrics.
    pub metrics: PrometheusHandle,
    /// Cancels long-running work on shutdown.
    pub draining: CancellationToken,
    /// Time when the service started.
    pub started: Instant,
    _folder: DataDir,
}

impl Deref for Operations {
    type Target = OperationsState;

    fn deref(&self) -> &OperationsState {
        &self.0
    }
}

/// Open streams; cheap to clone.
#[derive(Clone)]
pub struct Streams {
    /// Open streams of the log.
    pub logs: StreamLimit,
    /// Open streams of events.
    pub events: StreamLimit,
    /// Ends all streams on shutdown.
    pub draining: CancellationToken,
}

impl App {
    /// Opens all parts according to `settings`. Background work runs as some of `tasks` until `stop`.
    pub async fn open(
        settings: Settings,
        clock: Clock,
        tasks: &TaskTracker,
        stop: &CancellationToken,
    ) -> Result<Self> {
        // First, because metrics recorded earlier would be lost.
        let metrics = layers::metrics::recorder();
        let Opened { db, vault, folder } = open_store(&settings).await?;
        let health = StoreHealth::start(&db, tasks, stop);
        let draining = CancellationToken::new();
        let log_export = match &settings.log_export {
            Some(export) => {
                Some(Exporter::register(db.clone(), clock.clone(), health.clone(), export.clone()).await?)
            }
            None => None,
        };
        let (auth_settings, guard_settings) = (settings.auth.clone(), settings.guard.clone());
        let auth = Auth::open(db.clone(), vault.clone(), clock.clone(), health.clone(), auth_settings, tasks)
            .await?;
        let egress = EgressClient::new(settings.outgoing).context("outgoing")?;
        let integrations = Integrations::new(
            db.clone(),
            clock.clone(),
            vault.clone(),
            egress.clone(),
            settings.tickets,
            tasks,
            &draining,
        );
        let integrations = integrations.with_base_url(settings.base_url.clone());
        let language_models = integrations.language_models.clone();
        let trace_export = settings.traces.as_ref().map(TraceExport::start).transpose()?;
        let traces = trace_export.as_ref().map(TraceExport::traces).unwrap_or_default();
        let deps =
            GuardDeps { db: db.clone(), health: health.clone(), vault, egress, language_models, traces };
        let guard = Guard::open(deps, &guard_settings, tasks)?;
        let evaluations =
            Evaluations::new(db.clone(), integrations.vault.clone(), guard.clone(), clock.clone());
        let admission = Admission::new(AdmissionState {
            auth: auth.clone(),
            clock: clock.clone(),
            health: health.clone(),
            unevaluated: guard.unevaluated().clone(),
            rate_limiter: RateLimiter::open(settings.redis_url.as_ref(), tasks, stop)?,
            limits: settings.limits,
            trusted_proxies: settings.trusted_proxies.clone(),
            max_json: settings.max_json,
            max_media: settings.max_media,
            bodies: BodyBudget::new(settings.max_in_flight, settings.max_json, settings.max_media),
        });
        let operations = Operations(Arc::new(OperationsState {
            settings,
            health,
            dashboard: MetricsCache::default(),
            verifications: Verifications::default(),
            log_export,
            traces: trace_export,
            metrics,
            draining: draining.clone(),
            started: Instant::now(),
            _folder: folder,
        }));
        let streams = Streams { logs: StreamLimit::default(), events: StreamLimit::default(), draining };
        let tenants = Tenants { db, clock };
        Ok(Self {
            tenants,
            auth,
            guard,
            evaluations,
            integrations,
            operations,
            streams,
            admission,
            call_memory: CallMemory::default(),
            gateway_calls: GatewayCalls(tasks.clone()),
        })
    }

    /// Writes pending activity now.
    pub async fn write_activity_now(&self) {
        let written =
            self.auth.write_usage().await.and(self.guard.unevaluated().write(&self.tenants.db).await);
        if let Err(error) = written {
            tracing::warn!(%error, "could not write activity; retrying later");
        }
    }
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
    // Never log the URL: it contains the password.
    let db = Db::open(settings.database_url.expose()).await.context("could not open the database")?;
    if db.is_unfinished_copy().await? {
        bail!("database copy is incomplete; run `guardengine copy` again to finish it");
    }
    // Asked first: another process that starts now creates the file before it seals anything.
    let has_sealed_keys = db.has_sealed_keys().await?;
    let master = if has_sealed_keys { existing_master_key(settings)? } else { master_key(settings)? };
    let vault = Vault::new(db.clone(), master);
    vault.load_or_create_audit_key(Clock::System.now()).await.context("could not open the audit key")?;
    db.update_name_keys().await.context("could not update the names")?;
    Ok(Opened { db, vault, folder })
}

/// Loads the master key of an installation that has data sealed under it.
pub fn existing_master_key(settings: &Settings) -> Result<MasterKey, guardengine_vault::Error> {
    match &settings.master_key {
        Some(configured) => MasterKey::configured(configured.expose()),
        None => MasterKey::of_existing_file(&settings.master_key_file),
    }
}

/// Loads the master key that `settings` configures. Creates a missing file.
pub fn master_key(settings: &Settings) -> Result<MasterKey, guardengine_vault::Error> {
    match &settings.master_key {
        Some(configured) => MasterKey::configured(configured.expose()),
        None => MasterKey::of_file(&settings.master_key_file),
    }
}
