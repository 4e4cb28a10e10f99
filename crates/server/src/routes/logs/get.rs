use axum::extract::State;
use guardengine_api_types::{ErrorBody, LogRecord};
use guardengine_auth::{Principal, project_access::log_scope};
use guardengine_store::{LogEntry, LogEntryDetails};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, PathId},
};

/// Score of a guardrail.
#[derive(Debug, Serialize, ToSchema)]
pub struct GuardrailScore {
    /// Name in the API.
    guardrail: String,
    /// Highest confidence, 0 to 1.
    confidence: f64,
    /// Threshold in the policy version that was applied.
    threshold: f64,
}

/// Duration of a processing stage.
#[derive(Debug, Serialize, ToSchema)]
pub struct TimedStage {
    /// `policy`, `media`, `waiting` (for a processor), `reading`, `scores`, `opinion` or `verdict`.
    stage: String,
    /// Duration, milliseconds.
    ms: f64,
}

/// A log entry with details that lists omit.
#[derive(Debug, Serialize, ToSchema)]
pub struct LogDetails {
    #[serde(flatten)]
    row: LogRecord,
    /// Scores of all guardrails that ran, in policy order; empty for older entries.
    confidences: Vec<GuardrailScore>,
    /// Stages in order. The difference to `processing_time_ms` is time between stages.
    timing: Vec<TimedStage>,
    /// Note of the feedback.
    mark_note: Option<String>,
    /// True if the original text is sealed and can be revealed.
    is_sealed: bool,
}

impl LogDetails {
    fn of(log: LogEntry, detail: LogEntryDetails) -> Self {
        let stood: Vec<(String, f64, f64)> = serde_json::from_str(&detail.confidences).unwrap_or_default();
        let timed: Vec<(String, f64)> = serde_json::from_str(&detail.timing).unwrap_or_default();
        let one = |(guardrail, confidence, threshold)| GuardrailScore { guardrail, confidence, threshold };
        Self {
            row: log.into(),
            confidences: stood.into_iter().map(one).collect(),
            timing: timed.into_iter().map(|(stage, ms)| TimedStage { stage, ms }).collect(),
            mark_note: detail.feedback_note,
            is_sealed: detail.sealed_text.is_some(),
        }
    }
}

/// Returns the log entry and its details, or 404 if the caller may not see it.
pub(super) async fn visible(
    tenants: &Tenants,
    caller: &Principal,
    id: Uuid,
) -> Result<(LogEntry, LogEntryDetails), Error> {
    let not_found = || Error::not_found("log");
    let log = tenants.db.log(caller.org_id, id).await?.ok_or_else(not_found)?;
    let may_see = log_scope(&tenants.db, caller).await?.is_none_or(|reader| reader.includes(&log));
    let detail = if may_see { tenants.db.log_details(caller.org_id, id).await? } else { None };
    Ok((log, detail.ok_or_else(not_found)?))
}

/// Get a log entry
#[utoipa::path(
    get, path = "/api/logs/{log_id}", tag = "logs", operation_id = "logs_get",
    params(("log_id" = Uuid, Path, description = "Log entry identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The log entry", body = LogDetails),
        (status = 404, description = "Log entry not found, or not visible to the caller", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<LogDetails> {
    let (log, detail) = visible(&tenants, &caller, id).await?;
    Ok(Json(LogDetails::of(log, detail)))
}
