use axum::{
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse as _, Response},
};
use guardengine_api_types::ErrorBody;
use guardengine_auth::permission;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::Timestamp;
use utoipa::IntoParams;
use uuid::Uuid;

use super::{csv, response::UsageReport};
use crate::{
    app::Tenants,
    dashboard::{UsageBy, breakdown::breakdown},
    http::{Caller, Error, FromFields, Json, Query, optional_id, parsed},
    routes::{
        dashboard::get::{period_of, visible_projects},
        logs::filter::{BOOLEANS, time},
    },
};

const MAX_LIMIT: u16 = 500;
const DEFAULT_LIMIT: u16 = 100;
const FORMATS: [(&str, Format); 2] = [("json", Format::Json), ("csv", Format::Csv)];

/// Format of a usage report.
#[derive(Clone, Copy, Debug)]
enum Format {
    Json,
    Csv,
}

/// Period, scope and format of a usage report.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UsageQuery {
    /// Property of the requests. `user` is the end user, whom the request names as `username`.
    #[param(value_type = guardengine_api_types::choices::UsageBy, inline)]
    by: UsageBy,
    /// Start of the period, inclusive. Default: one day before the end.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// End of the period, exclusive, at most 400 days after the start. Default: the end of the current hour.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
    /// Limits the usage to this project.
    project: Option<Uuid>,
    /// Maximum number of rows, 1 to 500. Default: 100.
    #[param(value_type = Option<u16>, minimum = 1, maximum = 500)]
    limit: u16,
    /// `json` (default), or `csv`: one line for each row, for others and for unattributed usage.
    #[param(value_type = Option<guardengine_api_types::choices::UsageFormat>, inline)]
    format: Format,
    /// Begins a CSV file with a byte order mark, so that spreadsheets read it as UTF-8.
    #[param(value_type = Option<bool>)]
    bom: bool,
}

impl FromFields for UsageQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let by = fields.choice("by", &UsageBy::ALL.map(|by| (by.name(), by)))?;
        let accepted = format!("must be a whole number from 1 to {MAX_LIMIT}");
        let limit = parsed(fields, "limit", &accepted)?.unwrap_or(DEFAULT_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(FieldError::value("limit", accepted));
        }
        Ok(Self {
            by: by.ok_or_else(|| FieldError::required("by"))?,
            from: time(fields, "from")?,
            to: time(fields, "to")?,
            project: optional_id(fields, "project")?,
            limit,
            format: fields.choice("format", &FORMATS)?.unwrap_or(Format::Json),
            bom: fields.choice("bom", &BOOLEANS)?.unwrap_or(false),
        })
    }
}

/// Get the usage by project, API key, end user, application or operation
///
/// Requests with a log entry, and their credits. Owners and admins see the whole organization; others see the sum of their
/// projects. Usage by end user also needs `DASHBOARD:VIEW_DASHBOARD`, which shows their names.
#[utoipa::path(
    get, path = "/api/usage", tag = "organization", operation_id = "usage_get",
    params(UsageQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The usage", content((UsageReport = "application/json"), (String = "text/csv"))),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Query(query): Query<UsageQuery>,
) -> Result<Response, Error> {
    let UsageQuery { by, limit, format, bom, .. } = query;
    if by == UsageBy::User {
        caller.needs(permission::VIEW_DASHBOARD)?;
    }
    let period = period_of(query.from, query.to, tenants.clock.now())?;
    let projects = visible_projects(&tenants, &caller, query.project).await?;
    let (db, org) = (&tenants.db, caller.org_id);
    let found = breakdown(db, org, by, (period, projects.as_deref()), limit.into()).await?;
    let report = UsageReport::of(db, org, by, period, found).await?;
    match format {
        Format::Json => Ok(Json(report).into_response()),
        Format::Csv => file(&report, bom),
    }
}

fn file(report: &UsageReport, has_mark: bool) -> Result<Response, Error> {
    let lines = csv::file(report, has_mark).map_err(Error::internal)?;
    let name = format!("attachment; filename=\"guardengine-usage-by-{}.csv\"", report.by);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8")),
        (header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).map_err(Error::internal)?),
    ];
    Ok((headers, lines).into_response())
}
