//! Cache of dashboard metrics.
//!
//! Dashboards request the same metrics again and again. Results are reused for [`LIFETIME`], unless the organization has
//! a new log entry: a client that received the response of a request sees that request counted.

use std::{sync::Arc, time::Duration};

use guardengine_store::{Db, Error, Period};
use moka::future::Cache;
use uuid::Uuid;

use super::metrics::{DashboardMetrics, metrics};

/// Lifetime of a result. Renamed projects and failed requests, which have no log entry, show up after this time.
const LIFETIME: Duration = Duration::from_secs(1);
/// Maximum number of cached results; one for a month has about 100 kB.
const MAX_RESULTS: u64 = 200;

/// Organization, period, projects and number of the last log entry.
type CacheKey = (Uuid, Period, Option<Vec<Uuid>>, i64);

/// Recent results.
#[derive(Clone)]
pub struct MetricsCache(Cache<CacheKey, Arc<DashboardMetrics>>);

impl Default for MetricsCache {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MAX_RESULTS).time_to_live(LIFETIME).build())
    }
}

impl MetricsCache {
    /// Returns the metrics of an organization's projects in a period. `None` means all projects and requests without one.
    pub async fn metrics(
        &self,
        db: &Db,
        org: Uuid,
        period: Period,
        projects: Option<Vec<Uuid>>,
    ) -> Result<Arc<DashboardMetrics>, Arc<Error>> {
        let last = db.last_log_sequence(org).await?;
        // Boxed because the future is large, and a cache hit does not run it.
        let compute = Box::pin(metrics(db, org, period, projects.as_deref()));
        let key = (org, period, projects.clone(), last);
        self.0.try_get_with(key, async { compute.await.map(Arc::new) }).await
    }
}
