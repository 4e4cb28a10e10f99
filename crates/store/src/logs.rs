//! One row for every text that was judged.

use uuid::Uuid;

use crate::id::least_id;
use crate::{Db, Result, Timestamp};

const FORGOTTEN_AT_ONCE: i64 = 500;

/// What was judged, by what, and how.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow, serde::Deserialize, serde::Serialize)]
pub struct Log {
    /// The organisation that asked.
    pub org_id: Uuid,
    /// Its id: see [`crate::new_id`].
    pub id: Uuid,
    /// When.
    #[serde(deserialize_with = "crate::log_page::time", serialize_with = "crate::log_page::micros")]
    pub created_at: Timestamp,
    /// The endpoint's name: `analyze`, `validate`, `mask`, …
    pub endpoint: String,
    /// `input` or `output`.
    pub direction: String,
    /// The project, which may be gone by now.
    pub project_id: Option<Uuid>,
    /// Its name then.
    pub project_name: Option<String>,
    /// The policy that decided; `None` for the built-in one.
    pub policy_id: Option<Uuid>,
    /// Its version then.
    pub policy_version: Option<i64>,
    /// `allow`, `mask`, `block`, `challenge`, `escalate`.
    pub decision: String,
    /// What the shadow policy would have decided.
    pub shadow_decision: Option<String>,
    /// Whether it was judged, and if not why.
    pub outcome: String,
    /// A compact JSON array of objects with a `name`.
    pub triggered_guardrails: String,
    /// Of the decision, 0 to 1.
    pub confidence: f64,
    /// 1 to 100.
    pub safety_score: i64,
    /// `critical`, `high`, `medium`, `no_risk`.
    pub risk_level: String,
    /// For people.
    pub reason: Option<String>,
    /// The application that asked, in its own words.
    pub source_app: Option<String>,
    /// What else it told, as JSON.
    pub context: Option<String>,
    /// The end user's device.
    pub device_id: Option<String>,
    /// The end user.
    pub username: Option<String>,
    /// Who called: a user or an API key.
    pub principal: String,
    /// The conversation.
    pub conversation_id: Option<String>,
    /// What is kept of the text.
    pub text: Option<String>,
    /// The language found.
    pub lang_code: Option<String>,
    /// Milliseconds.
    pub processing_time_ms: i64,
    /// What it cost.
    pub credits: i64,
    /// The request's id.
    pub correlation_id: String,
    /// The detection's version.
    pub model_version: String,
    /// What people say of the decision: `false_positive` or `missed_attack`.
    pub mark: Option<String>,
}

/// A row's columns, in the order of [`Log`]'s fields.
pub(crate) const COLUMNS: &str = "org_id, id, created_at, endpoint, direction, project_id, project_name, policy_id, \
     policy_version, decision, shadow_decision, outcome, triggered_guardrails, confidence, safety_score, risk_level, \
     reason, source_app, context, device_id, username, principal, conversation_id, text, lang_code, \
     processing_time_ms, credits, correlation_id, model_version, mark";

impl Db {
    /// The row with that id.
    pub async fn log(&self, org_id: Uuid, id: Uuid) -> Result<Option<Log>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = sqlx::QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM logs WHERE org_id = ").push_bind(org_id);
            query.push(" AND id = ").push_bind(id);
            query.build_query_as().fetch_optional(pool).await?
        }))
    }

    /// The rows with these ids, as many of them as there are, in no order.
    pub async fn logs_by_id(&self, org_id: Uuid, ids: &[Uuid]) -> Result<Vec<Log>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = sqlx::QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM logs WHERE org_id = ").push_bind(org_id);
            query.push(" AND id IN (NULL");
            for id in ids {
                query.push(", ").push_bind(*id);
            }
            query.push(")").build_query_as().persistent(false).fetch_all(pool).await?
        }))
    }

    /// Forgets some of an organisation's rows from before that time, oldest first, that are added up already;
    /// answers how many. A few at a time: others write in between. Said twice, and once so that SQLite does not read by
    /// it, the time keeps PostgreSQL from opening younger months.
    pub async fn forget_logs_before(&self, org_id: Uuid, time: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "DELETE FROM logs WHERE org_id = $1 AND NOT id >= $2 AND id IN (
                 SELECT id FROM logs WHERE org_id = $1 AND id < $2
                 AND sequence <= (SELECT sequence FROM rollups WHERE org_id = $1) ORDER BY id LIMIT $3)",
            )
            .bind(org_id)
            .bind(least_id(time))
            .bind(FORGOTTEN_AT_ONCE)
            .execute(pool)
            .await?
            .rows_affected()
        }))
    }
}
