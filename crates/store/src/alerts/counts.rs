//! Counts of log entries for alert rules, by index alone as far as possible.

use sqlx::QueryBuilder;
use uuid::Uuid;

use crate::dashboard::Period;
use crate::id::least_id;
use crate::logs::guardrail_like;
use crate::{Db, Result};

/// Numbers of log entries of a period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogCounts {
    /// All log entries.
    pub total: i64,
    /// Blocked ones.
    pub blocked: i64,
}

impl Db {
    /// Counts the log entries of a period, of one project or of all.
    pub async fn count_logs(
        &self,
        org_id: Uuid,
        project_id: Option<Uuid>,
        period: Period,
    ) -> Result<LogCounts> {
        let total = self.count(org_id, project_id, period, None).await?;
        let blocked = self.count(org_id, project_id, period, Some("%")).await?;
        Ok(LogCounts { total, blocked })
    }

    /// Counts the blocked log entries of a period in which a guardrail triggered, of one project or of all.
    pub async fn count_blocks_of(
        &self,
        org_id: Uuid,
        project_id: Option<Uuid>,
        period: Period,
        guardrail: &str,
    ) -> Result<i64> {
        self.count(org_id, project_id, period, Some(&guardrail_like(guardrail))).await
    }

    /// `blocked_by` restricts the count to blocked entries whose guardrails match the pattern.
    async fn count(
        &self,
        org_id: Uuid,
        project_id: Option<Uuid>,
        period: Period,
        blocked_by: Option<&str>,
    ) -> Result<i64> {
        Ok(on!(self.reader(), |pool| {
            let mut query = QueryBuilder::new("SELECT COUNT(*) FROM logs WHERE org_id = ");
            query.push_bind(org_id).push(" AND id >= ").push_bind(least_id(period.from));
            query.push(" AND id < ").push_bind(least_id(period.to));
            if let Some(project_id) = project_id {
                query.push(" AND project_id = ").push_bind(project_id);
            }
            if let Some(pattern) = blocked_by {
                // The second condition enables the partial index.
                query.push(" AND decision = 'block' AND triggered_guardrails <> '[]'");
                if pattern != "%" {
                    query.push(" AND triggered_guardrails LIKE ").push_bind(pattern.to_owned());
                    query.push(r" ESCAPE '\'");
                }
            }
            query.build_query_scalar().persistent(false).fetch_one(pool).await?
        }))
    }
}
