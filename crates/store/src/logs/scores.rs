//! Scores of recent log entries, for the cost of a threshold on an organization's own traffic.

use uuid::Uuid;

use crate::{Db, Result};

/// Scores of a log entry.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct LoggedScores {
    /// Project, possibly deleted.
    pub project_id: Option<Uuid>,
    /// User behind the call.
    pub user_id: Option<Uuid>,
    /// As in [`LogEntryDetails::confidences`](crate::LogEntryDetails::confidences).
    pub confidences: String,
}

impl Db {
    /// Returns the scores of the last `limit` log entries under a policy, among the last `window` entries of the
    /// organization, newest first.
    pub async fn logged_scores(
        &self,
        org_id: Uuid,
        policy_id: Uuid,
        window: i64,
        limit: i64,
    ) -> Result<Vec<LoggedScores>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT project_id, user_id, confidences FROM (
                     SELECT id, project_id, user_id, policy_id, confidences FROM logs
                     WHERE org_id = $1 ORDER BY id DESC LIMIT $3) recent
                 WHERE policy_id = $2 ORDER BY id DESC LIMIT $4",
            )
            .bind(org_id)
            .bind(policy_id)
            .bind(window)
            .bind(limit)
            .fetch_all(pool)
            .await?
        }))
    }
}
