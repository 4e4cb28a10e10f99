//! What a row has besides, for who looks at it alone.

use uuid::Uuid;

use crate::name::storable;
use crate::{Db, Result};

/// What lists of rows leave out.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow, serde::Deserialize, serde::Serialize)]
pub struct LogDetail {
    /// A compact JSON array: how every guardrail that ran stood, `["name", confidence, threshold]`.
    pub confidences: String,
    /// A compact JSON array: what the stages took, `["stage", milliseconds]`.
    pub timing: String,
    /// The text as it was sent, sealed.
    pub sealed_text: Option<Vec<u8>>,
    /// What was written beside the mark.
    pub mark_note: Option<String>,
}

impl Default for LogDetail {
    fn default() -> Self {
        Self { confidences: "[]".into(), timing: "[]".into(), sealed_text: None, mark_note: None }
    }
}

/// In the order of [`LogDetail`]'s fields.
pub(crate) const COLUMNS: &str = "confidences, timing, sealed_text, mark_note";

impl Db {
    /// What the row with that id has besides.
    pub async fn log_detail(&self, org_id: Uuid, id: Uuid) -> Result<Option<LogDetail>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = sqlx::QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM logs WHERE org_id = ").push_bind(org_id);
            query.push(" AND id = ").push_bind(id);
            query.build_query_as().fetch_optional(pool).await?
        }))
    }

    /// Marks a row, or takes its mark away; whether the row is there.
    pub async fn mark_log(
        &self,
        org_id: Uuid,
        id: Uuid,
        mark: Option<&str>,
        note: Option<&str>,
    ) -> Result<bool> {
        let marked = on!(self.writer(), |pool| {
            sqlx::query("UPDATE logs SET mark = $3, mark_note = $4 WHERE org_id = $1 AND id = $2")
                .bind(org_id)
                .bind(id)
                .bind(mark)
                .bind(note.map(storable))
                .execute(pool)
                .await?
                .rows_affected()
        });
        Ok(marked > 0)
    }
}
