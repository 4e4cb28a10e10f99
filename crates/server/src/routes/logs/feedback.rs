use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, permission};
use guardengine_engine::fields::{FieldError, Fields};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{filter::FEEDBACK, get::visible};
use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Error, FromFields, Json, PathId},
};

const MAX_NOTE_LENGTH: usize = 1_000;

/// Feedback on a decision.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "mark": "false_positive", "note": "our own product's name" }))]
pub struct Feedback {
    /// `false_positive`, `missed_attack`, or null to remove the feedback.
    #[schema(required)]
    #[schema(value_type = Option<guardengine_api_types::choices::FeedbackMark>)]
    mark: Option<&'static str>,
    /// Note, at most 1000 characters.
    #[schema(max_length = 1000)]
    note: Option<String>,
}

impl FromFields for Feedback {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let mark = fields.choice("mark", &FEEDBACK)?;
        if mark.is_none() && !fields.is_null("mark") {
            return Err(FieldError::required("mark"));
        }
        Ok(Self { mark, note: fields.short_string("note", MAX_NOTE_LENGTH)?.map(str::to_owned) })
    }
}

/// The stored feedback.
#[derive(Debug, Serialize, ToSchema)]
pub struct MarkedLog {
    log_id: Uuid,
    mark: Option<&'static str>,
    mark_note: Option<String>,
}

/// Give feedback on a decision
///
/// Reports a wrong decision, with a note; null removes both. The filter `mark` finds entries with feedback, and `GET
/// /api/logs/export?format=labelled` exports them as labelled texts.
#[utoipa::path(
    put, path = "/api/logs/{log_id}/mark", tag = "logs", operation_id = "logs_mark",
    params(("log_id" = Uuid, Path, description = "Log entry identifier")),
    request_body = Feedback,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The stored feedback", body = MarkedLog),
        (status = 404, description = "Log entry not found, or not visible to the caller", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Body(Feedback { mark, note }): Body<Feedback>,
) -> Answer<MarkedLog> {
    let (log, _) = visible(&tenants, &caller, id).await?;
    let note = note.filter(|_| mark.is_some());
    let mut tx = tenants.audited().await?;
    if !tx.set_log_feedback(caller.org_id, id, mark, note.as_deref()).await? {
        return Err(Error::not_found("log"));
    }
    let details = json!({ "from": log.feedback, "to": mark, "note": note });
    audit::commit(tx, &caller, permission::MARK_LOG, id, details).await?;
    Ok(Json(MarkedLog { log_id: id, mark, mark_note: note }))
}
