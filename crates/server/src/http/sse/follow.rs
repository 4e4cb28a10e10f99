//! A running event stream: polls for new items once a second, and checks each time that the caller may still see them.

use std::{collections::VecDeque, convert::Infallible, future::Future, time::Duration};

use axum::{
    http::HeaderMap,
    response::{
        IntoResponse as _, Response, Sse,
        sse::{Event, KeepAlive},
    },
};
use futures::{Stream, stream};
use guardengine_auth::{Auth, Principal};
use guardengine_engine::fields::FieldError;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{StreamLimit, StreamPermit};
use crate::http::Error;

// Polling interval; also the delay until the end of a session is noticed.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const LAST_EVENT_ID: &str = "last-event-id";

/// A sequence of numbered items that a stream follows, as its caller may see it.
pub trait StreamSource: Send + Sync + 'static {
    /// An item of the stream.
    type Item: Send;
    /// Name of these streams in error messages, such as "log".
    const NAME: &'static str;
    /// Maximum number of items in memory at a time.
    const PAGE: u16 = 200;

    /// Returns an error if the caller may not request this stream.
    fn check(&self) -> impl Future<Output = Result<(), Error>> + Send;

    /// Returns the number of the organization's last item.
    fn newest(&self) -> impl Future<Output = Result<i64, Error>> + Send;

    /// Returns the items after `number` that the caller may see, and the number of the last item read.
    fn after(&self, number: i64) -> impl Future<Output = Result<(Vec<Self::Item>, i64), Error>> + Send;

    /// Returns an item as a server-sent event.
    fn event(row: Self::Item) -> Event;
}

/// The caller of a stream, and the conditions that end it.
pub struct Follower {
    /// Checks that the caller may still follow.
    pub auth: Auth,
    /// The caller.
    pub caller: Principal,
    /// Limit of open streams.
    pub limit: StreamLimit,
    /// Ends the stream on shutdown.
    pub draining: CancellationToken,
}

/// Returns the stream of items after the `Last-Event-ID`, or from now on.
pub async fn follow<S: StreamSource>(
    follower: Follower,
    headers: &HeaderMap,
    source: S,
) -> Result<Response, Error> {
    let newest = source.newest().await?;
    let last = last_event_id(headers, newest)?.unwrap_or(newest);
    source.check().await?;
    let too_many =
        || Error::unavailable(format!("too many {} streams are open, close one or try again later", S::NAME));
    let permit = follower.limit.take(follower.caller.org_id).ok_or_else(too_many)?;
    let cursor = Cursor { follower, source, last, is_behind: false, items: VecDeque::new(), _permit: permit };
    let stream = Sse::new(events(cursor)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    // nginx and others would hold events back until their buffer is full.
    Ok(([("x-accel-buffering", "no")], stream).into_response())
}

fn last_event_id(headers: &HeaderMap, newest: i64) -> Result<Option<i64>, FieldError> {
    let Some(id) = headers.get(LAST_EVENT_ID) else { return Ok(None) };
    let number = id.to_str().ok().and_then(|id| id.trim().parse().ok());
    let known = number.filter(|number| (0..=newest).contains(number));
    known.map(Some).ok_or_else(|| FieldError::value("Last-Event-ID", "must be the id of an earlier event"))
}

/// The state of a stream: its source and position.
struct Cursor<S: StreamSource> {
    follower: Follower,
    source: S,
    last: i64,
    /// True if the last read did not reach the newest item.
    is_behind: bool,
    items: VecDeque<S::Item>,
    _permit: StreamPermit,
}

fn events<S: StreamSource>(cursor: Cursor<S>) -> impl Stream<Item = Result<Event, Infallible>> + Send {
    stream::unfold(cursor, |mut cursor| async move {
        while cursor.items.is_empty() {
            cursor.poll().await?;
        }
        let event = S::event(cursor.items.pop_front()?);
        Some((Ok(event), cursor))
    })
}

impl<S: StreamSource> Cursor<S> {
    /// Waits for the polling interval, unless the stream is behind, and reads new items. Returns `None` when the stream ends.
    async fn poll(&mut self) -> Option<()> {
        let pause = if self.is_behind { Duration::ZERO } else { POLL_INTERVAL };
        self.follower.draining.run_until_cancelled(sleep(pause)).await?;
        match self.next_items().await {
            Ok(items) => items.map(|items| self.items.extend(items)),
            // The client reconnects with the last id.
            Err(_) => None,
        }
    }

    /// Returns the next items; `None` when the caller is no longer authorized, which is checked on every call.
    async fn next_items(&mut self) -> Result<Option<Vec<S::Item>>, Error> {
        if !self.follower.auth.is_still_authorized(&self.follower.caller).await? {
            return Ok(None);
        }
        let newest = self.source.newest().await?;
        if newest == self.last {
            return Ok(Some(Vec::new()));
        }
        let (items, last) = self.source.after(self.last).await?;
        // Items can be missing because their retention ended; skip them.
        self.last = if last == self.last { newest } else { last };
        self.is_behind = self.last < newest;
        Ok(Some(items))
    }
}
