use axum::{
    extract::State,
    http::HeaderMap,
    response::{Response, sse::Event},
};
use guardengine_api_types::{ErrorBody, LogRecord};
use guardengine_auth::{Auth, Principal};
use guardengine_store::SequencedLogEntry;

use super::{conditions::LogExclusionQuery, filter::LogFilterQuery};
use crate::{
    app::{Streams, Tenants},
    http::{
        Caller, Error, Query,
        sse::{Follower, StreamSource, follow},
    },
};

/// Stream the log
///
/// Server-sent events: one `log` event per log entry, from any process, with the entry as data. Its `id` is the entry's
/// number in the organization; the stream resumes after the id sent in `Last-Event-ID`. A comment is sent every 15
/// seconds. The stream ends with the session, the API key or the service.
#[utoipa::path(
    get, path = "/api/logs/stream", tag = "logs", operation_id = "logs_stream",
    params(LogFilterQuery, LogExclusionQuery, ("Last-Event-ID" = Option<String>, Header, description = "The `id` of the last event received; the stream resumes after it")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A stream of log entries", content((String = "text/event-stream"))),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
        (status = 503, description = "The organization has too many open streams", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(auth): State<Auth>,
    State(streams): State<Streams>,
    Caller(caller): Caller,
    headers: HeaderMap,
    Query(query): Query<LogFilterQuery>,
) -> Result<Response, Error> {
    let source = LogStream { tenants, caller: caller.clone(), query };
    let follower = Follower { auth, caller, limit: streams.logs, draining: streams.draining };
    follow(follower, &headers, source).await
}

/// The items that a caller may see.
struct LogStream {
    tenants: Tenants,
    caller: Principal,
    query: LogFilterQuery,
}

impl StreamSource for LogStream {
    type Item = SequencedLogEntry;
    const NAME: &'static str = "log";

    async fn check(&self) -> Result<(), Error> {
        self.query.filter(&self.tenants, &self.caller).await.map(drop)
    }

    async fn newest(&self) -> Result<i64, Error> {
        Ok(self.tenants.db.last_log_sequence(self.caller.org_id).await?)
    }

    async fn after(&self, number: i64) -> Result<(Vec<SequencedLogEntry>, i64), Error> {
        let filter = self.query.filter(&self.tenants, &self.caller).await?;
        Ok(self.tenants.db.logs_after(self.caller.org_id, &filter, number, Self::PAGE).await?)
    }

    fn event(row: SequencedLogEntry) -> Event {
        let data = serde_json::to_string(&LogRecord::from(row.log)).unwrap_or_default();
        Event::default().event("log").id(row.sequence.to_string()).data(data)
    }
}
