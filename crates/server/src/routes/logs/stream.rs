use axum::{
    extract::State,
    http::HeaderMap,
    response::{Response, sse::Event},
};
use guardengine_store::SequencedLogEntry;
use uuid::Uuid;

use super::{filter::LogFilterQuery, response::LogRecord};
use crate::{
    app::App,
    http::{Error, ErrorBody, Principal, Query},
    streams::{StreamLimit, StreamSource, follow},
};

/// Stream the log
///
/// Server-sent events: one `log` event per log entry, from any process, with the entry as data. Its `id` is the entry's
/// number in the organization; the stream resumes after the id sent in `Last-Event-ID`. A comment is sent every 15
/// seconds. The stream ends with the session, the API key or the service.
#[utoipa::path(
    get, path = "/api/logs/stream", tag = "logs", operation_id = "logs_stream",
    params(LogFilterQuery, ("Last-Event-ID" = Option<String>, Header, description = "The `id` of the last event received; the stream resumes after it")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A stream of log entries", content((String = "text/event-stream"))),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
        (status = 503, description = "The organization has too many open streams", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    headers: HeaderMap,
    Query(query): Query<LogFilterQuery>,
) -> Result<Response, Error> {
    follow(app, caller, &headers, query).await
}

impl StreamSource for LogFilterQuery {
    type Item = SequencedLogEntry;
    const NAME: &'static str = "log";

    fn limit(app: &App) -> &StreamLimit {
        &app.log_streams
    }

    async fn check(&self, app: &App, caller: &Principal) -> Result<(), Error> {
        self.filter(app, caller).await.map(drop)
    }

    async fn newest(app: &App, org: Uuid) -> Result<i64, Error> {
        Ok(app.db.last_log_sequence(org).await?)
    }

    async fn after(
        &self,
        app: &App,
        caller: &Principal,
        number: i64,
    ) -> Result<(Vec<SequencedLogEntry>, i64), Error> {
        let filter = self.filter(app, caller).await?;
        Ok(app.db.logs_after(caller.org_id, &filter, number, Self::PAGE).await?)
    }

    fn event(row: SequencedLogEntry) -> Event {
        let data = serde_json::to_string(&LogRecord::from(row.log)).unwrap_or_default();
        Event::default().event("log").id(row.sequence.to_string()).data(data)
    }
}
