//! Figures that many ask for at once are gathered once.
//!
//! A dashboard asks for the same figures again and again, and so do all who look at it. What was told is told again for
//! [`AGE`], unless the organisation has a new row since: whoever sees the answer of a request sees it counted.

use std::{sync::Arc, time::Duration};

use guardengine_store::{Db, Error, Period};
use moka::future::Cache;
use uuid::Uuid;

use super::metrics::{DashboardMetrics, metrics};

/// For so long a project's old name may be told, and what was refused or failed is not counted.
const AGE: Duration = Duration::from_secs(1);
/// Figures kept; those of a month are some 100 kB.
const KEPT: u64 = 200;

type Asked = (Uuid, Period, Option<Vec<Uuid>>, i64);

/// What was told last.
#[derive(Clone)]
pub struct MetricsCache(Cache<Asked, Arc<DashboardMetrics>>);

impl Default for MetricsCache {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(KEPT).time_to_live(AGE).build())
    }
}

impl MetricsCache {
    /// The figures of an organisation's projects (all, and requests without one, where `None`) in a period.
    pub async fn metrics(
        &self,
        db: &Db,
        org: Uuid,
        period: Period,
        projects: Option<Vec<Uuid>>,
    ) -> Result<Arc<DashboardMetrics>, Arc<Error>> {
        let last = db.last_log_sequence(org).await?;
        // On the heap: it holds much, and who asks for figures that are known needs none of it.
        let gather = Box::pin(metrics(db, org, period, projects.as_deref()));
        let asked = (org, period, projects.clone(), last);
        self.0.try_get_with(asked, async { gather.await.map(Arc::new) }).await
    }
}
