use axum::extract::State;
use guardengine_guard::{CacheState, Guard, QueueState, StageLatency, attachments::MediaStatus};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    app::{Operations, Tenants},
    doctor::{PartState, states},
    http::{Admission, Answer, Json},
};

/// The build of the service.
#[derive(Debug, Serialize, ToSchema)]
pub struct Build {
    /// Version of guardengine.
    version: &'static str,
    /// Operating system and processor, such as `linux x86_64`.
    platform: String,
    /// `release` or `debug`.
    profile: &'static str,
}

/// The database.
#[derive(Debug, Serialize, ToSchema)]
pub struct StoreState {
    /// `sqlite` (embedded) or `postgresql` (shared by all replicas).
    kind: &'static str,
    /// True if it answered the last probe.
    is_up: bool,
    /// True if it accepted the last write of a probe.
    is_writable: bool,
    /// Size of the embedded database in bytes; null with PostgreSQL.
    bytes: Option<u64>,
    /// Its growth in bytes per day, by the last seven days; null if unknown.
    bytes_per_day: Option<u64>,
}

/// Relations of this replica to others.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReplicaState {
    /// True if several replicas can share the database.
    can_be_several: bool,
    /// True if Redis, which shares rate limit counters, is reachable; null without Redis.
    is_redis_up: Option<bool>,
}

/// The degraded mode: requests are evaluated while the database is unavailable.
#[derive(Debug, Serialize, ToSchema)]
pub struct DegradedMode {
    /// True if projects can choose it: the database is PostgreSQL.
    is_available: bool,
    /// True while it is in effect.
    is_active: bool,
}

/// The state of the service, as the replica sees it that answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct EngineStatus {
    build: Build,
    /// Seconds since the replica started.
    uptime_seconds: u64,
    /// Versions of the models, in the order in which they are used.
    models: Vec<String>,
    /// The state of each part, as in `/readyz?verbose`.
    checks: Vec<PartState>,
    /// Queues before threads and media workers.
    queues: Vec<QueueState>,
    /// Times of the newest 1,000 requests of the replica, by stage. Stages that no request went through are absent.
    stages: Vec<StageLatency>,
    caches: Vec<CacheState>,
    media: MediaStatus,
    store: StoreState,
    replica: ReplicaState,
    degraded_mode: DegradedMode,
}

/// Get the state of the service
///
/// Models, queues, latency by stage, media workers, caches and the database. Each replica answers for itself.
#[utoipa::path(
    get, path = "/api/engine/status", tag = "system", operation_id = "engine_status",
    security(("bearer" = []), ("api_key" = [])),
    responses((status = 200, description = "The state of the service", body = EngineStatus))
)]
pub async fn handle(
    State(operations): State<Operations>,
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    State(admission): State<Admission>,
) -> Answer<EngineStatus> {
    let store = &operations.health;
    let growth = tenants.db.growth(tenants.clock.now()).await.ok();
    let works = store.is_up() && store.is_writable();
    Ok(Json(EngineStatus {
        build: build(),
        uptime_seconds: operations.started.elapsed().as_secs(),
        models: guard.model_version().split('+').map(str::to_owned).collect(),
        checks: states(&operations, &tenants, &guard, &admission).await,
        queues: guard.queues(),
        stages: guard.stage_latencies(),
        caches: guard.caches(),
        media: guard.media_workers().status(),
        store: StoreState {
            kind: if store.is_shared() { "postgresql" } else { "sqlite" },
            is_up: store.is_up(),
            is_writable: store.is_writable(),
            bytes: growth.map(|growth| growth.bytes),
            bytes_per_day: growth.and_then(|growth| growth.bytes_per_day),
        },
        replica: ReplicaState {
            can_be_several: store.is_shared(),
            is_redis_up: admission.rate_limiter.is_redis_up(),
        },
        degraded_mode: DegradedMode {
            is_available: guard.has_spool(),
            is_active: guard.has_spool() && !works,
        },
    }))
}

fn build() -> Build {
    Build {
        version: env!("CARGO_PKG_VERSION"),
        platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        profile: if cfg!(debug_assertions) { "debug" } else { "release" },
    }
}
