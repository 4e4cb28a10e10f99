//! Details of a log entry, for the view of a single entry.

use uuid::Uuid;

use crate::db::Tx;
use crate::name::storable;
use crate::{Db, Result};

/// Fields that lists of log entries omit.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow, serde::Deserialize, serde::Serialize)]
pub struct LogEntryDetails {
    /// Compact JSON array: `["name", confidence, threshold]` for every guardrail that ran.
    pub confidences: String,
    /// Compact JSON array: `["stage", milliseconds]` for every stage.
    pub timing: String,
    /// The original text, sealed.
    pub sealed_text: Option<Vec<u8>>,
    /// Note given with the feedback.
    #[sqlx(rename = "mark_note")]
    #[serde(rename = "mark_note")]
    pub feedback_note: Option<String>,
}

impl Default for LogEntryDetails {
    fn default() -> Self {
        Self { confidences: "[]".into(), timing: "[]".into(), sealed_text: None, feedback_note: None }
    }
}

/// Columns in the order of [`LogEntryDetails`]'s fields.
pub(crate) const COLUMNS: &str = "confidences, timing, sealed_text, mark_note";

impl Tx {
    /// Sets or removes a log entry's feedback. Returns whether the log entry exists.
    pub async fn set_log_feedback(
        &mut self,
        org_id: Uuid,
        id: Uuid,
        feedback: Option<&str>,
        note: Option<&str>,
    ) -> Result<bool> {
        let updated = on!(self.connection(), |c| {
            sqlx::query("UPDATE logs SET mark = $3, mark_note = $4 WHERE org_id = $1 AND id = $2")
                .bind(org_id)
                .bind(id)
                .bind(feedback)
                .bind(note.map(storable))
                .execute(c)
                .await?
                .rows_affected()
        });
        Ok(updated > 0)
    }
}

impl Db {
    /// Returns the details of a log entry.
    pub async fn log_details(&self, org_id: Uuid, id: Uuid) -> Result<Option<LogEntryDetails>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = sqlx::QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM logs WHERE org_id = ").push_bind(org_id);
            query.push(" AND id = ").push_bind(id);
            query.build_query_as().fetch_optional(pool).await?
        }))
    }
}
