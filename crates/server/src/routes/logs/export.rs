use axum::{
    body::{Body, Bytes},
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse as _, Response},
};
use futures::{Stream, stream};
use guardengine_api_types::{ErrorBody, LogRecord};
use guardengine_auth::{audit, permission};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{Db, LogEntry, LogFilter, Page};
use serde::Serialize;
use serde_json::json;
use utoipa::IntoParams;
use uuid::Uuid;

use super::{
    conditions::LogExclusionQuery,
    csv,
    export_labelled::labelled,
    filter::{BOOLEANS, LogFilterQuery},
};
use crate::{
    app::Tenants,
    http::{Caller, Error, FromFields, Query},
};

// Log entries in memory at a time.
const PAGE: u16 = 500;
const FORMATS: [(&str, Format); 3] =
    [("csv", Format::Csv), ("jsonl", Format::JsonLines), ("labelled", Format::Labelled)];

/// Format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Csv,
    JsonLines,
    Labelled,
}

/// Format and filters of an export.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// `csv` (default), `jsonl`, or `labelled`: entries with feedback as labelled texts for `guardengine eval`.
    #[param(value_type = Option<guardengine_api_types::choices::ExportFormat>, inline)]
    format: Format,
    /// Begins a CSV file with a byte order mark, so that spreadsheets read it as UTF-8.
    #[param(value_type = Option<bool>)]
    bom: bool,
    #[param(ignore)]
    query: LogFilterQuery,
}

impl FromFields for ExportQuery {
    const REPEATABLE: &'static [&'static str] = LogFilterQuery::REPEATABLE;

    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let format = fields.choice("format", &FORMATS)?.unwrap_or(Format::Csv);
        let bom = fields.choice("bom", &BOOLEANS)?.unwrap_or(false);
        Ok(Self { format, bom, query: LogFilterQuery::from_fields(fields)? })
    }
}

type ExportError = Box<dyn std::error::Error + Send + Sync>;

impl Format {
    const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::JsonLines => "jsonl",
            Self::Labelled => "labelled",
        }
    }

    const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::JsonLines | Self::Labelled => "jsonl",
        }
    }

    const fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::JsonLines | Self::Labelled => "application/x-ndjson",
        }
    }

    fn head(self, has_mark: bool) -> Result<Vec<u8>, ExportError> {
        match self {
            Self::Csv => Ok(csv::head(has_mark)?),
            Self::JsonLines | Self::Labelled => Ok(Vec::new()),
        }
    }

    fn lines(self, logs: Vec<LogEntry>) -> Result<Vec<u8>, ExportError> {
        match self {
            Self::Csv => Ok(csv::lines(&logs)?),
            Self::JsonLines => Ok(json_lines(logs.into_iter().map(LogRecord::from))?),
            Self::Labelled => Ok(json_lines(logs.iter().filter_map(labelled))?),
        }
    }
}

fn json_lines(rows: impl Iterator<Item = impl Serialize>) -> serde_json::Result<Vec<u8>> {
    let mut lines = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut lines, &row)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

/// Export the log
///
/// Streams all matching log entries, newest first. CSV cells that look like formulas start with a quote. Labelled texts
/// are the stored ones, which may be masked. Every export is recorded in the audit trail.
#[utoipa::path(
    get, path = "/api/logs/export", tag = "logs", operation_id = "logs_export",
    params(ExportQuery, LogFilterQuery, LogExclusionQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The log entries", content((String = "text/csv"), (String = "application/x-ndjson"))),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Query(ExportQuery { format, bom, query }): Query<ExportQuery>,
) -> Result<Response, Error> {
    let filter = query.filter(&tenants, &caller).await?;
    let filter = LogFilter { has_feedback: format == Format::Labelled, ..filter };
    let details = json!({ "format": format.name(), "filter": query.audited() });
    audit::record(&tenants.db, tenants.clock.now(), &caller, permission::EXPORT_LOG, "", details).await?;
    let day = tenants.clock.now().to_string();
    let name = format!("attachment; filename=\"guardengine-logs-{}.{}\"", &day[..10], format.extension());
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(format.media_type())),
        (header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).map_err(Error::internal)?),
    ];
    let head = stream::once(async move { format.head(bom).map(Bytes::from) });
    let pages = pages(tenants.db, caller.org_id, filter, format);
    Ok((headers, Body::from_stream(futures::StreamExt::chain(head, pages))).into_response())
}

/// Streams page after page. The next page is read when the client has received the previous one.
fn pages(
    db: Db,
    org: Uuid,
    filter: LogFilter,
    format: Format,
) -> impl Stream<Item = Result<Bytes, ExportError>> + Send {
    stream::try_unfold(Some(None), move |place: Option<Option<Uuid>>| {
        let (db, filter) = (db.clone(), filter.clone());
        async move {
            let Some(before) = place else { return Ok(None) };
            let paged = db.logs(org, &filter, Page { limit: PAGE, before }).await?;
            let lines = Bytes::from(format.lines(paged.rows)?);
            Ok(Some((lines, paged.next.map(Some))))
        }
    })
}
