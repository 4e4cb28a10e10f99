use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{
    permission,
    project_access::{log_scope, may_see_project},
};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_integrations::Integrations;
use guardengine_store::{LogFilter, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::create::{New, store};
use crate::{
    app::Tenants,
    evaluation::feedback::collect,
    http::{Answer, Body, Caller, Error, FromFields, Json, optional_id, required_name},
    routes::{evaluation::response::DatasetRecord, logs::filter::time},
};

/// Feedback to make a dataset from.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "name": "Feedback of July", "from": "2026-07-01T00:00:00Z" }))]
pub struct FeedbackDataset {
    /// Name of the dataset, 1 to 100 characters.
    #[schema(value_type = crate::schemas::NewName)]
    name: String,
    /// Earliest time of the log entries, inclusive.
    #[schema(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// Latest time of the log entries, exclusive.
    #[schema(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
    /// Project identifier. If absent, all projects of the caller.
    project: Option<Uuid>,
}

impl FromFields for FeedbackDataset {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            name: required_name(fields, "name")?,
            from: time(fields, "from")?,
            to: time(fields, "to")?,
            project: optional_id(fields, "project")?,
        })
    }
}

/// A dataset made from feedback.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreatedFromFeedback {
    #[serde(flatten)]
    dataset: DatasetRecord,
    /// Log entries that were left out: without a stored text, or with one of more than 20,000 characters.
    skipped: usize,
}

/// Create a dataset from feedback
///
/// A false positive becomes a case that must pass, a missed attack one that must be flagged. A missed attack belongs to
/// the guardrails whose names stand in its note. Texts are those of the log: masked personal data stays masked. Also needs
/// `LOGS:VIEW_LOG`; members use the log entries of their projects.
#[utoipa::path(
    post, path = "/api/evaluation/datasets/feedback", tag = "evaluation",
    operation_id = "evaluation_datasets_from_feedback",
    request_body = FeedbackDataset,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The created dataset", body = CreatedFromFeedback),
        (status = 404, description = "Project not found, or no feedback with a stored text in the period", body = ErrorBody),
        (status = 409, description = "The organization has too many datasets", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(integrations): State<Integrations>,
    Caller(caller): Caller,
    Body(asked): Body<FeedbackDataset>,
) -> Answer<CreatedFromFeedback> {
    caller.needs(permission::VIEW_LOG)?;
    if let Some(project) = asked.project {
        may_see_project(&tenants.db, &caller, project).await?;
    }
    let filter = LogFilter {
        scope: log_scope(&tenants.db, &caller).await?,
        project_id: asked.project,
        from: asked.from,
        to: asked.to,
        ..LogFilter::default()
    };
    let collected = collect(&tenants.db, caller.org_id, filter).await?;
    if collected.cases.is_empty() {
        return Err(Error::not_found("feedback with a stored text"));
    }
    let new = New { name: asked.name, source: "feedback", cases: collected.cases };
    let dataset = store(&tenants, &integrations, &caller, new).await?;
    Ok(Json(CreatedFromFeedback { dataset, skipped: collected.skipped }))
}
