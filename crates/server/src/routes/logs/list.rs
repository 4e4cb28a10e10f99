use axum::extract::State;
use guardengine_engine::fields::{Fields, Invalid};
use guardengine_store::Page;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{filter::LogFilterQuery, response::LogRecord, search::search};
use crate::{
    app::App,
    http::{Answer, ErrorBody, FromFields, Json, PageParameters, PageQuery, Principal, Query},
};

/// Which page of which rows.
#[derive(Debug)]
pub struct LogPageQuery {
    page: PageQuery<Uuid>,
    wanted: LogFilterQuery,
}

impl FromFields for LogPageQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
        Ok(Self { page: PageQuery::from_fields(fields)?, wanted: LogFilterQuery::from_fields(fields)? })
    }
}

/// A page of the log.
#[derive(Debug, Serialize, ToSchema)]
pub struct Logs {
    /// Newest first.
    logs: Vec<LogRecord>,
    /// `cursor` of the next page; null at the end. A search that takes long answers fewer rows and where to go on.
    next_cursor: Option<Uuid>,
}

/// Search the log
///
/// Newest first. Owners and admins see every row of the organisation; others those of their projects, and those without
/// a project that they or their API keys made.
#[utoipa::path(
    get, path = "/api/logs", tag = "logs", operation_id = "logs_list",
    params(PageParameters, LogFilterQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of rows", body = Logs),
        (status = 403, description = "A permission is missing, or not a member", body = ErrorBody),
        (status = 404, description = "No such project", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    Query(LogPageQuery { page, wanted }): Query<LogPageQuery>,
) -> Answer<Logs> {
    // Rows of a project tell that it is, or was, there: who may see every one is spared a question.
    let is_told_by_rows = caller.sees_all_projects();
    if !is_told_by_rows {
        wanted.admit(&app, &caller).await?;
    }
    let filter = wanted.unadmitted(&app, &caller).await?;
    let page = Page { limit: page.limit, before: page.cursor };
    let found = search(&app.db, caller.org_id, &filter, page).await?;
    if is_told_by_rows && found.rows.is_empty() {
        wanted.admit(&app, &caller).await?;
    }
    let logs = found.rows.into_iter().map(LogRecord::from).collect();
    Ok(Json(Logs { logs, next_cursor: found.next }))
}
