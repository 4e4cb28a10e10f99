use axum::extract::State;
use guardengine_api_types::{ErrorBody, LogRecord};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::Page;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{conditions::LogExclusionQuery, filter::LogFilterQuery, search::search};
use crate::{
    app::Tenants,
    http::{Answer, Caller, FromFields, Json, PageParameters, PageQuery, Query},
};

/// Page and filters of the log.
#[derive(Debug)]
pub struct LogPageQuery {
    page: PageQuery<Uuid>,
    query: LogFilterQuery,
}

impl FromFields for LogPageQuery {
    const REPEATABLE: &'static [&'static str] = LogFilterQuery::REPEATABLE;

    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { page: PageQuery::from_fields(fields)?, query: LogFilterQuery::from_fields(fields)? })
    }
}

/// A page of the log.
#[derive(Debug, Serialize, ToSchema)]
pub struct Logs {
    /// Newest first.
    logs: Vec<LogRecord>,
    /// `cursor` of the next page; null on the last page. A slow search returns fewer entries and a cursor.
    next_cursor: Option<Uuid>,
}

/// Search the log
///
/// Newest first. Owners and admins see all log entries of the organization. Others see those of their projects, and
/// those of their own requests without a project.
#[utoipa::path(
    get, path = "/api/logs", tag = "logs", operation_id = "logs_list",
    params(PageParameters, LogFilterQuery, LogExclusionQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of log entries", body = Logs),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Query(LogPageQuery { page, query }): Query<LogPageQuery>,
) -> Answer<Logs> {
    // Entries of a project prove that it exists: callers who see all projects skip the check.
    let sees_all = caller.sees_all_projects();
    if !sees_all {
        query.admit(&tenants, &caller).await?;
    }
    let filter = query.unadmitted(&tenants, &caller).await?;
    let page = Page { limit: page.limit, before: page.cursor };
    let found = search(&tenants.db, caller.org_id, &filter, page).await?;
    if sees_all && found.rows.is_empty() {
        query.admit(&tenants, &caller).await?;
    }
    let logs = found.rows.into_iter().map(LogRecord::from).collect();
    Ok(Json(Logs { logs, next_cursor: found.next }))
}
