//! A stream on its way: it looks for what is new once a second, and asks each time whether its reader may still see it.

use std::{collections::VecDeque, convert::Infallible, future::Future, time::Duration};

use axum::{
    http::HeaderMap,
    response::{
        IntoResponse as _, Response, Sse,
        sse::{Event, KeepAlive},
    },
};
use futures::{Stream, stream};
use guardengine_engine::fields::Invalid;
use tokio::time::sleep;
use uuid::Uuid;

use super::{StreamLimit, StreamPermit};
use crate::{
    app::App,
    http::{Error, Principal},
};

// How soon something new is told, and the end of a session noticed.
const LOOK: Duration = Duration::from_secs(1);
const HEARTBEAT: Duration = Duration::from_secs(15);
const LAST_EVENT_ID: &str = "last-event-id";

/// What a stream follows.
pub trait StreamSource: Send + Sync + 'static {
    /// One of it.
    type Row: Send;
    /// What a stream of it is called, before "streams".
    const NAME: &'static str;
    /// Rows that are in memory at a time.
    const PAGE: u16 = 200;

    /// The places for such streams.
    fn places(app: &App) -> &StreamLimit;

    /// Refuses what the caller may not ask for.
    fn check(&self, app: &App, caller: &Principal) -> impl Future<Output = Result<(), Error>> + Send;

    /// The number of the organisation's last row.
    fn newest(app: &App, org: Uuid) -> impl Future<Output = Result<i64, Error>> + Send;

    /// Rows after a number that the caller may see, and the number of the last one looked at.
    fn after(
        &self,
        app: &App,
        caller: &Principal,
        number: i64,
    ) -> impl Future<Output = Result<(Vec<Self::Row>, i64), Error>> + Send;

    /// A row as it is told.
    fn told(row: Self::Row) -> Event;
}

/// The stream of what comes after the `Last-Event-ID`, or from now on.
pub async fn follow<F: StreamSource>(
    app: App,
    caller: Principal,
    headers: &HeaderMap,
    followed: F,
) -> Result<Response, Error> {
    let newest = F::newest(&app, caller.org_id).await?;
    let last = seen(headers, newest)?.unwrap_or(newest);
    followed.check(&app, &caller).await?;
    let too_many =
        || Error::unavailable(format!("too many {} streams are open, close one or try again later", F::NAME));
    let place = F::places(&app).take(caller.org_id).ok_or_else(too_many)?;
    let tail = Tail { app, caller, followed, last, is_behind: false, rows: VecDeque::new(), _place: place };
    Ok(Sse::new(events(tail)).keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response())
}

fn seen(headers: &HeaderMap, newest: i64) -> Result<Option<i64>, Invalid> {
    let Some(id) = headers.get(LAST_EVENT_ID) else { return Ok(None) };
    let number = id.to_str().ok().and_then(|id| id.trim().parse().ok());
    let known = number.filter(|number| (0..=newest).contains(number));
    known.map(Some).ok_or_else(|| Invalid::value("Last-Event-ID", "must be the id of an earlier event"))
}

struct Tail<F: StreamSource> {
    app: App,
    caller: Principal,
    followed: F,
    last: i64,
    /// There was more than was read at once.
    is_behind: bool,
    rows: VecDeque<F::Row>,
    _place: StreamPermit,
}

fn events<F: StreamSource>(tail: Tail<F>) -> impl Stream<Item = Result<Event, Infallible>> + Send {
    stream::unfold(tail, |mut tail| async move {
        while tail.rows.is_empty() {
            tail.look().await?;
        }
        let event = F::told(tail.rows.pop_front()?);
        Some((Ok(event), tail))
    })
}

impl<F: StreamSource> Tail<F> {
    /// Waits a moment, unless it is behind, and looks for what is new; `None` when the stream is over.
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
    async fn new_rows(&mut self) -> Result<Option<Vec<F::Row>>, Error> {
        if !self.caller.is_still_authorized(&self.app).await? {
            return Ok(None);
        }
        let newest = F::newest(&self.app, self.caller.org_id).await?;
        if newest == self.last {
            return Ok(Some(Vec::new()));
        }
        let (rows, last) = self.followed.after(&self.app, &self.caller, self.last).await?;
        // Where nothing is left of what was written meanwhile, its retention is over.
        self.last = if last == self.last { newest } else { last };
        self.is_behind = self.last < newest;
        Ok(Some(rows))
    }
}
