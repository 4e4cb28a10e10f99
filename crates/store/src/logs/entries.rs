//! Log entries: one for every evaluated text.

use uuid::Uuid;

use crate::id::least_id;
use crate::{Db, Result, Timestamp};

const DELETE_BATCH: i64 = 500;

/// A log entry: the evaluated text, the policy and the decision.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow, serde::Deserialize, serde::Serialize)]
pub struct LogEntry {
    /// Organization that made the request.
    pub org_id: Uuid,
    /// Identifier: see [`crate::new_id`].
    pub id: Uuid,
    /// Creation time.
    #[serde(deserialize_with = "super::packed_rows::time", serialize_with = "super::packed_rows::micros")]
    pub created_at: Timestamp,
    /// Endpoint: `analyze`, `validate`, `mask`, …
    pub endpoint: String,
    /// `input` or `output`.
    pub direction: String,
    /// Project, possibly deleted.
    pub project_id: Option<Uuid>,
    /// Project name at that time.
    pub project_name: Option<String>,
    /// Policy that decided; `None` for the built-in one.
    pub policy_id: Option<Uuid>,
    /// Policy version at that time.
    pub policy_version: Option<i64>,
    /// `allow`, `mask`, `block`, `challenge` or `escalate`.
    pub decision: String,
    /// Decision of the shadow policy.
    pub shadow_decision: Option<String>,
    /// Outcome: whether it was evaluated, and if not, why.
    pub outcome: String,
    /// Compact JSON array of objects with a `name`.
    pub triggered_guardrails: String,
    /// Confidence of the decision, 0 to 1.
    pub confidence: f64,
    /// Safety score, 1 to 100.
    pub safety_score: i64,
    /// Risk level: `critical`, `high`, `medium` or `no_risk`.
    pub risk_level: String,
    /// Explanation for people.
    pub reason: Option<String>,
    /// Application, as named by the caller.
    pub source_app: Option<String>,
    /// Other context sent by the caller, as JSON.
    pub context: Option<String>,
    /// Device of the end user.
    pub device_id: Option<String>,
    /// End user.
    pub username: Option<String>,
    /// Caller: a user or an API key.
    pub principal: String,
    /// User behind the call: the caller, or the owner of the API key. `None` for an entry of an earlier version whose
    /// user is not certain.
    pub user_id: Option<Uuid>,
    /// Conversation.
    pub conversation_id: Option<String>,
    /// Text, in the form that the project's `log_content` prescribes.
    pub text: Option<String>,
    /// Detected language.
    pub lang_code: Option<String>,
    /// Processing time in milliseconds.
    pub processing_time_ms: i64,
    /// Credits charged.
    pub credits: i64,
    /// Correlation identifier of the request.
    pub correlation_id: String,
    /// Version of the detection model.
    pub model_version: String,
    /// Feedback: `false_positive` or `missed_attack`.
    #[sqlx(rename = "mark")]
    #[serde(rename = "mark")]
    pub feedback: Option<String>,
    /// Interface that took the call: `native`, or the name of a foreign one.
    #[serde(default = "native")]
    pub surface: String,
    /// Identifier that the caller gave the call in a foreign interface.
    #[serde(default)]
    pub foreign_id: Option<String>,
    /// Tokens of the request, as the provider behind the gateway counted them.
    #[serde(default)]
    pub prompt_tokens: Option<i64>,
    /// Tokens of the answer, as the provider behind the gateway counted them.
    #[serde(default)]
    pub completion_tokens: Option<i64>,
    /// Time in milliseconds that the model behind the gateway took.
    #[serde(default)]
    pub upstream_time_ms: Option<i64>,
}

/// The surface of spooled entries of earlier versions.
fn native() -> String {
    "native".to_owned()
}

/// Columns in the order of [`LogEntry`]'s fields.
pub(crate) const COLUMNS: &str = "org_id, id, created_at, endpoint, direction, project_id, project_name, policy_id, \
     policy_version, decision, shadow_decision, outcome, triggered_guardrails, confidence, safety_score, risk_level, \
     reason, source_app, context, device_id, username, principal, user_id, conversation_id, text, lang_code, \
     processing_time_ms, credits, correlation_id, model_version, mark, surface, foreign_id, \
     prompt_tokens, completion_tokens, upstream_time_ms";

impl Db {
    /// Returns the log entry with that identifier.
    pub async fn log(&self, org_id: Uuid, id: Uuid) -> Result<Option<LogEntry>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = sqlx::QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM logs WHERE org_id = ").push_bind(org_id);
            query.push(" AND id = ").push_bind(id);
            query.build_query_as().fetch_optional(pool).await?
        }))
    }

    /// Returns the log entries with these identifiers that exist, in no order.
    pub async fn logs_by_id(&self, org_id: Uuid, ids: &[Uuid]) -> Result<Vec<LogEntry>> {
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

    /// Deletes some of an organization's log entries before that time that are counted already, oldest first, and
    /// returns how many. Works in small batches, so that others can write in between. The condition on time is
    /// repeated to keep PostgreSQL from opening later months, and negated so that SQLite does not read by it.
    pub async fn delete_logs_before(&self, org_id: Uuid, time: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "DELETE FROM logs WHERE org_id = $1 AND NOT id >= $2 AND id IN (
                 SELECT id FROM logs WHERE org_id = $1 AND id < $2
                 AND sequence <= (SELECT sequence FROM rollups WHERE org_id = $1) ORDER BY id LIMIT $3)",
            )
            .bind(org_id)
            .bind(least_id(time))
            .bind(DELETE_BATCH)
            .execute(pool)
            .await?
            .rows_affected()
        }))
    }
}
