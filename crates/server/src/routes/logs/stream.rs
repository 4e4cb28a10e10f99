use axum::{
    extract::State,
    http::HeaderMap,
    response::{Response, sse::Event},
};
use guardengine_store::NumberedLog;
use uuid::Uuid;

use super::{filter::LogFilterQuery, response::LogRecord};
use crate::{
    app::App,
    http::{Error, ErrorBody, Principal, Query},
    streams::{StreamLimit, StreamSource, follow},
};

/// Follow the log
///
/// Server-sent events: one event `log` a row once it is durable, whichever process wrote it, with the row as data. Its
/// id is the row's number in the organisation: sent back as `Last-Event-ID`, the stream goes on right after it. A
/// comment comes every 15 seconds. The stream ends with the session, the API key, or the service.
#[utoipa::path(
    get, path = "/api/logs/stream", tag = "logs", operation_id = "logs_stream",
    params(LogFilterQuery, ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event that was seen")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Rows as they come", content((String = "text/event-stream"))),
        (status = 403, description = "A permission is missing, or not a member", body = ErrorBody),
        (status = 404, description = "No such project", body = ErrorBody),
        (status = 503, description = "The organisation has too many streams open", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    headers: HeaderMap,
    Query(wanted): Query<LogFilterQuery>,
) -> Result<Response, Error> {
    follow(app, caller, &headers, wanted).await
}

impl StreamSource for LogFilterQuery {
    type Item = NumberedLog;
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
    ) -> Result<(Vec<NumberedLog>, i64), Error> {
        let filter = self.filter(app, caller).await?;
        Ok(app.db.logs_after(caller.org_id, &filter, number, Self::PAGE).await?)
    }

    fn event(row: NumberedLog) -> Event {
        let data = serde_json::to_string(&LogRecord::from(row.log)).unwrap_or_default();
        Event::default().event("log").id(row.sequence.to_string()).data(data)
    }
}
