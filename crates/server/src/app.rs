//! What handlers share.

use std::{sync::Arc, time::Duration};

use anyhow::{Context as _, Result};
use guardengine_store::Db;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    auth::{
        activity::Activity,
        password::Passwords,
        sign_in::Turns,
        signing_keys::{self, SigningKeys},
    },
    clock::Clock,
    config::Settings,
    data_dir::DataDir,
    guard::Guard,
    http::{Windows, metering},
    journal::Journal,
    vault::{self, Master, Vault},
};

// Activity may lag by this much.
const WRITE_ACTIVITY: Duration = Duration::from_secs(2);
const SWEEP: Duration = Duration::from_hours(1);

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
    /// Secrets at rest.
    pub vault: Vault,
    /// What signs access tokens.
    pub signing_keys: SigningKeys,
    /// Password hashes.
    pub passwords: Passwords,
    /// Turns to sign in.
    pub sign_ins: Turns,
    /// Activity not yet written.
    pub activity: Activity,
    /// Rate limits.
    pub windows: Windows,
    /// The guard.
    pub guard: Guard,
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
        let Opened { db, vault, folder } = open_store(&settings).await?;
        let signing_keys = SigningKeys::load(db.clone(), vault.clone(), clock.now()).await?;
        let guard = Guard::new(db.clone(), vault.clone(), Journal::start(db.clone(), tasks), settings.costs);
        let app = Self(Arc::new(Shared {
            clock,
            signing_keys,
            passwords: Passwords::default(),
            sign_ins: Turns::default(),
            activity: Activity::default(),
            windows: Windows::default(),
            metrics: metering::recorder(),
            guard,
            db,
            vault,
            settings,
            _folder: folder,
        }));
        tasks.spawn(app.clone().write_activity(stop.clone()));
        tasks.spawn(app.clone().renew_signing_keys(stop.clone()));
        tasks.spawn(app.clone().sweep(stop.clone()));
        Ok(app)
    }

    async fn write_activity(self, stop: CancellationToken) {
        let mut ticks = interval(WRITE_ACTIVITY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while stop.run_until_cancelled(ticks.tick()).await.is_some() {
            self.write_activity_now().await;
            // Samples pile up until they are sorted into their buckets, also where nobody asks for the figures.
            self.metrics.run_upkeep();
        }
    }

    /// Writes what the background has not written yet.
    pub async fn write_activity_now(&self) {
        if let Err(fault) = self.activity.write(&self.db).await {
            tracing::warn!(%fault, "activity not written, kept for the next time");
        }
    }

    async fn renew_signing_keys(self, stop: CancellationToken) {
        let mut ticks = interval(signing_keys::RENEW);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while stop.run_until_cancelled(ticks.tick()).await.is_some() {
            if let Err(fault) = self.signing_keys.renew().await {
                tracing::warn!(%fault, "signing keys not read, the known ones go on");
            }
        }
    }

    /// Forgets what is over: old log rows, sessions, sign-in attempts and signing keys.
    async fn sweep(self, stop: CancellationToken) {
        let mut ticks = interval(SWEEP);
        while stop.run_until_cancelled(ticks.tick()).await.is_some() {
            if let Err(fault) = self.sweep_now().await {
                tracing::warn!(%fault, "the sweep failed, the next one comes in an hour");
            }
        }
    }

    async fn sweep_now(&self) -> guardengine_store::Result<()> {
        let now = self.clock.now();
        self.db.forget_login_attempts(now).await?;
        self.db.forget_sessions_before(now - self.settings.session.refresh_token_ttl).await?;
        let last_signed = now - self.settings.session.access_token_ttl - signing_keys::KEPT;
        self.db.forget_signing_keys_before(last_signed).await?;
        if let Some(retention) = self.settings.log_retention {
            self.db.forget_logs_before(now - retention).await?;
        }
        Ok(())
    }
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
    Ok(Opened { vault: Vault::new(db.clone(), master), db, folder })
}

/// The master key that `settings` name.
pub fn master_key(settings: &Settings) -> Result<Master, vault::Fault> {
    match &settings.master_key {
        Some(configured) => Master::configured(configured.expose()),
        None => Master::of_file(&settings.master_key_file),
    }
}
