use axum::extract::State;
use guardengine_store::{Log, LogDetail};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::response::LogRecord;
use crate::{
    app::App,
    http::{Answer, Error, ErrorBody, Json, PathId, Principal},
    project_access::log_scope,
};

/// How a guardrail stood.
#[derive(Debug, Serialize, ToSchema)]
pub struct GuardrailScore {
    /// Wire name.
    guardrail: String,
    /// Its highest confidence, 0 to 1.
    confidence: f64,
    /// From where on it triggered, in the policy version that decided.
    threshold: f64,
}

/// What a stage of a request took.
#[derive(Debug, Serialize, ToSchema)]
pub struct TimedStage {
    /// `policy`, `media`, `waiting` (for a processor), `reading`, `scores`, `opinion` or `verdict`.
    stage: String,
    /// Milliseconds.
    ms: f64,
}

/// A row with what lists leave out.
#[derive(Debug, Serialize, ToSchema)]
pub struct LogDetails {
    #[serde(flatten)]
    row: LogRecord,
    /// Every guardrail that ran, in the order of the policy; empty for rows that are older than this.
    confidences: Vec<GuardrailScore>,
    /// Stages in their order. What is missing to `processing_time_ms` was spent between them.
    timing: Vec<TimedStage>,
    /// What was written beside the mark.
    mark_note: Option<String>,
    /// Whether the text as it was sent is kept sealed, and can be revealed.
    is_sealed: bool,
}

impl LogDetails {
    fn of(log: Log, detail: LogDetail) -> Self {
        let stood: Vec<(String, f64, f64)> = serde_json::from_str(&detail.confidences).unwrap_or_default();
        let timed: Vec<(String, f64)> = serde_json::from_str(&detail.timing).unwrap_or_default();
        let one = |(guardrail, confidence, threshold)| GuardrailScore { guardrail, confidence, threshold };
        Self {
            row: log.into(),
            confidences: stood.into_iter().map(one).collect(),
            timing: timed.into_iter().map(|(stage, ms)| TimedStage { stage, ms }).collect(),
            mark_note: detail.mark_note,
            is_sealed: detail.sealed_text.is_some(),
        }
    }
}

/// The row with that id and what it has besides, or 404 where the caller may not see it.
pub(super) async fn visible(app: &App, caller: &Principal, id: Uuid) -> Result<(Log, LogDetail), Error> {
    let not_found = || Error::not_found("log");
    let log = app.db.log(caller.org_id, id).await?.ok_or_else(not_found)?;
    let may_see = log_scope(app, caller).await?.is_none_or(|reader| reader.may_see(&log));
    let detail = if may_see { app.db.log_detail(caller.org_id, id).await? } else { None };
    Ok((log, detail.ok_or_else(not_found)?))
}

/// See a row of the log
#[utoipa::path(
    get, path = "/api/logs/{log_id}", tag = "logs", operation_id = "logs_get",
    params(("log_id" = Uuid, Path, description = "From a decision or the list")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The row", body = LogDetails),
        (status = 404, description = "No such row, or none that the caller may see", body = ErrorBody),
    )
)]
pub async fn handle(State(app): State<App>, caller: Principal, PathId(id): PathId) -> Answer<LogDetails> {
    let (log, detail) = visible(&app, &caller, id).await?;
    Ok(Json(LogDetails::of(log, detail)))
}
