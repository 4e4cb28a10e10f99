use std::{collections::VecDeque, convert::Infallible, time::Duration};

use axum::{
    extract::State,
    http::HeaderMap,
    response::{
        IntoResponse as _, Response, Sse,
        sse::{Event, KeepAlive},
    },
};
use futures::{Stream, stream};
use guardengine_engine::fields::Invalid;
use guardengine_store::NumberedLog;
use tokio::time::sleep;

use super::{filter::Wanted, record::LogRecord, streams::Place};
use crate::{
    app::App,
    http::{Caller, Error, ErrorBody, Query},
};

// How soon a new row is told, and the end of a session noticed.
const LOOK: Duration = Duration::from_secs(1);
const HEARTBEAT: Duration = Duration::from_secs(15);
// Rows that are in memory at a time.
const PAGE: u16 = 200;
const LAST_EVENT_ID: &str = "last-event-id";

/// Follow the log
///
/// Server-sent events: one event `log` a row once it is durable, whichever process wrote it, with the row as data. Its
/// id is the row's number in the organisation: sent back as `Last-Event-ID`, the stream goes on right after it. A
/// comment comes every 15 seconds. The stream ends with the session, the API key, or the service.
#[utoipa::path(
    get, path = "/api/logs/stream", tag = "logs", operation_id = "logs_stream",
    params(Wanted, ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event that was seen")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Rows as they come", content((String = "text/event-stream"))),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "A permission is missing, or not a member", body = ErrorBody),
        (status = 404, description = "No such project", body = ErrorBody),
        (status = 413, description = "Body too large", body = ErrorBody),
        (status = 422, description = "A parameter is not accepted", body = ErrorBody),
        (status = 429, description = "Rate limit", body = ErrorBody),
        (status = 503, description = "The organisation has too many streams open", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Error> {
    let last = app.db.last_log_sequence(caller.org_id).await?;
    let last = seen(&headers, last)?.unwrap_or(last);
    wanted.filter(&app, &caller).await?;
    let too_many = || Error::unavailable("too many log streams are open, close one or try again later");
    let place = app.streams.take(caller.org_id).ok_or_else(too_many)?;
    let tail = Tail { app, caller, wanted, last, is_behind: false, rows: VecDeque::new(), _place: place };
    Ok(Sse::new(events(tail)).keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response())
}

fn seen(headers: &HeaderMap, newest: i64) -> Result<Option<i64>, Invalid> {
    let Some(id) = headers.get(LAST_EVENT_ID) else { return Ok(None) };
    let number = id.to_str().ok().and_then(|id| id.trim().parse().ok());
    let known = number.filter(|number| (0..=newest).contains(number));
    known.map(Some).ok_or_else(|| Invalid::value("Last-Event-ID", "must be the id of an earlier event"))
}

/// A stream on its way.
struct Tail {
    app: App,
    caller: Caller,
    wanted: Wanted,
    last: i64,
    /// There were more rows than were read at once.
    is_behind: bool,
    rows: VecDeque<NumberedLog>,
    _place: Place,
}

fn events(tail: Tail) -> impl Stream<Item = Result<Event, Infallible>> + Send {
    stream::unfold(tail, |mut tail| async move {
        while tail.rows.is_empty() {
            tail.look().await?;
        }
        let event = event(tail.rows.pop_front()?);
        Some((Ok(event), tail))
    })
}

fn event(row: NumberedLog) -> Event {
    let data = serde_json::to_string(&LogRecord::from(row.log)).unwrap_or_default();
    Event::default().event("log").id(row.sequence.to_string()).data(data)
}

impl Tail {
    /// Waits a moment, unless it is behind, and looks for new rows; `None` when the stream is over.
    async fn look(&mut self) -> Option<()> {
        let pause = if self.is_behind { Duration::ZERO } else { LOOK };
        self.app.draining.run_until_cancelled(sleep(pause)).await?;
        match self.new_rows().await {
            Ok(rows) => rows.map(|rows| self.rows.extend(rows)),
            // Who follows comes back with the last id.
            Err(_told) => None,
        }
    }

    /// The next rows; `None` when the caller may not see any more. What they may see is asked anew each time.
    async fn new_rows(&mut self) -> Result<Option<Vec<NumberedLog>>, Error> {
        if !self.caller.still_stands(&self.app).await? {
            return Ok(None);
        }
        let org = self.caller.org_id;
        let newest = self.app.db.last_log_sequence(org).await?;
        if newest == self.last {
            return Ok(Some(Vec::new()));
        }
        let filter = self.wanted.filter(&self.app, &self.caller).await?;
        let (rows, last) = self.app.db.logs_after(org, &filter, self.last, PAGE).await?;
        // Where nothing is left of what was written meanwhile, its retention is over.
        self.last = if last == self.last { newest } else { last };
        self.is_behind = self.last < newest;
        Ok(Some(rows))
    }
}
