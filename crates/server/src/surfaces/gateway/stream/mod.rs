//! Answers that are streamed: evaluated, masked and restored while they arrive.
//!
//! Events are read ([`sse`]), their texts found ([`events`]) and fed to the guard, and written again with what it passes
//! on ([`output`]). What is blocked is never sent; the stream ends in the provider's form ([`refusal`]). The last events
//! wait until the call is recorded.

mod chat_events;
mod events;
mod messages_events;
mod output;
pub mod refusal;
mod responses_events;

use std::{
    convert::Infallible,
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};
use futures::stream::unfold;
use guardengine_egress::OpenResponse;
use guardengine_guard::{PendingDecision, SharedAnswer, UpstreamCall};
use guardengine_store::SideEffects;
use tokio::{
    sync::mpsc::{Receiver, Sender},
    time::timeout,
};

pub use self::output::Output;
use super::exchange::{Exchange, IDLE, block_reason};
use crate::{
    http::Error,
    surfaces::{
        call_span::CallSpan,
        sse::{self, EventReader},
    },
};

/// Parts of a stream that wait for a slow client.
pub const MAX_WAITING: usize = 16;
/// Longest time in which a client takes nothing.
const SLOWEST: Duration = Duration::from_mins(1);
/// Reason of an answer that is longer than the guard evaluates.
const TOO_LONG: &str = "the answer is too long";

/// Returns the response whose body `parts` brings.
pub fn response(parts: Receiver<String>) -> Response {
    let next = |mut parts: Receiver<String>| async move {
        let part = parts.recv().await?;
        Some((Ok::<_, Infallible>(part), parts))
    };
    with_headers(Response::new(Body::from_stream(unfold(parts, next))))
}

/// Marks a response as a stream of events.
pub fn with_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream; charset=utf-8"));
    // nginx and others would hold events back until their buffer is full.
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

/// A call whose answer is passed on as it arrives.
pub struct StreamedExchange {
    /// The call.
    pub exchange: Exchange,
    /// The decision on its request.
    pub request: PendingDecision,
    /// The answer.
    pub answer: SharedAnswer,
    /// Takes what is passed on.
    pub client: Sender<String>,
    /// The span of the model's answer.
    pub span: CallSpan,
}

/// End of an answer.
enum End {
    /// As the provider ended it, or because the guard stopped it.
    Over,
    /// The provider broke off.
    Broken,
    /// It could not be evaluated.
    Unevaluated,
    /// The client hung up, or takes nothing.
    Gone,
}

impl StreamedExchange {
    /// Passes on what the provider sends, records the call, and then ends the stream.
    pub async fn run(self, response: OpenResponse, mut call: UpstreamCall) {
        let mut output = Output::new(self.exchange.call.format);
        let end = self.pass_on(response, &mut output, &mut call).await;
        call.tokens = output.tokens;
        match end {
            End::Broken => self.span.fail(),
            End::Over | End::Unevaluated | End::Gone => self.span.end(call.tokens.attributes()),
        }
        let concluded = self.exchange.guard.conclude_answer(&self.answer).await;
        let Self { exchange, request, client, .. } = self;
        let id = request.log_id;
        let (decision, concluded) = match concluded {
            Ok(answer) => {
                let reason = block_reason(&answer.evaluation);
                (request.followed_by(answer, call), Ok(reason))
            }
            Err(error) => (request.after(call), Err(Error::from(error))),
        };
        let now = decision.call.now;
        let recorded = exchange.guard.record(decision, SideEffects::default()).await;
        let failed = match (&end, recorded) {
            (_, Err(error)) => Some(Error::from(error)),
            (End::Broken, _) => Some(Error::new(StatusCode::BAD_GATEWAY, "the model ended its answer early")),
            (End::Unevaluated, _) => {
                Some(Error::unavailable("the detection engine is busy, try again later"))
            }
            (End::Over | End::Gone, _) => None,
        };
        let mut ending = std::mem::take(&mut output.pending);
        match (failed, concluded) {
            (Some(error), _) | (None, Err(error)) => ending = exchange.stream_error(&error),
            (None, Ok(reason)) if output.stop.is_some() => {
                let reason = reason.as_deref().unwrap_or(TOO_LONG);
                ending.push_str(&exchange.stream_end(&output, reason, (id, now)));
            }
            (None, Ok(_)) => {}
        }
        let ending = format!("{ending}: guardengine log entry {id}\n\n");
        // Nobody waits for the end of a stream that the client left.
        let _gone = timeout(SLOWEST, client.send(ending)).await;
    }

    async fn pass_on(&self, mut response: OpenResponse, output: &mut Output, call: &mut UpstreamCall) -> End {
        let mut reader = EventReader::default();
        loop {
            let began = Instant::now();
            let chunk = tokio::select! {
                () = self.client.closed() => return End::Gone,
                chunk = response.chunk(IDLE) => chunk,
            };
            call.model_time += began.elapsed();
            let Ok(Some(bytes)) = chunk else { return End::Broken };
            let Ok(events) = reader.feed(&bytes) else { return End::Broken };
            if events.is_empty() {
                continue;
            }
            let mut taking = std::mem::replace(output, Output::new(self.exchange.call.format));
            let take = move |answer: &mut _| {
                for event in &events {
                    taking.take(answer, event);
                }
                taking
            };
            match self.exchange.guard.on_answer(&self.answer, bytes.len(), take).await {
                Ok(taken) => *output = taken,
                Err(_) => return End::Unevaluated,
            }
            if output.is_over || output.stop.is_some() {
                return End::Over;
            }
            let part = std::mem::take(&mut output.pending);
            let began = Instant::now();
            let is_taken =
                part.is_empty() || matches!(timeout(SLOWEST, self.client.send(part)).await, Ok(Ok(())));
            call.client_time += began.elapsed();
            if !is_taken {
                return End::Gone;
            }
        }
    }
}
