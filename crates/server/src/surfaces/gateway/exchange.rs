//! A call from the evaluated request to the recorded answer. What happens once a call may be passed on runs as a task of
//! its own: a client that hangs up does not keep it out of the log.

use std::time::{Duration, Instant};

use axum::{
    Json,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use guardengine_egress::OpenResponse;
use guardengine_engine::{guardrail::Direction, policy::Outcome};
use guardengine_guard::{Guard, PendingDecision, UpstreamCall, evaluate::Evaluation, submission::Submission};
use guardengine_store::{SideEffects, Timestamp};
use serde_json::Value;
use tokio::sync::mpsc;
use uuid::Uuid;

use super::{
    GatewayCalls,
    answer::{ModelAnswer, Values},
    call::ModelCall,
    formats::{self, Refusal},
    settings::OnBlock,
    stream::{self, Output, StreamedExchange},
    upstream::{self, Upstream},
};
use crate::{http::Error, surfaces::call_span::CallSpan};

/// Largest answer, in bytes.
const MAX_ANSWER: usize = 8 << 20;
/// Longest time in which nothing of an answer arrives.
pub const IDLE: Duration = Duration::from_mins(5);
/// Names the log entry of a call.
const LOG_ID: HeaderName = HeaderName::from_static("x-guardengine-log-id");
/// Reason that is shown where a verdict has none.
const NO_REASON: &str = "blocked by the guardrail policy";
/// Reason of a call whose image holds personal data that the policy masks.
const UNMASKED_IMAGE: &str = "an image holds personal data, which the gateway cannot mask";

/// A call whose request was evaluated.
pub struct Exchange {
    /// The guard.
    pub guard: Guard,
    /// The call.
    pub call: ModelCall,
    /// Answer to a blocked call.
    pub on_block: OnBlock,
}

impl Exchange {
    /// Passes the request on as `body`, and returns the guarded answer of the model, once it is recorded.
    pub async fn run(
        self,
        request: PendingDecision,
        upstream: Upstream,
        body: String,
        calls: GatewayCalls,
    ) -> Response {
        let began = Instant::now();
        let span = self.call.span(self.guard.traces());
        let opened = upstream.call(&body, &span.headers()).await;
        let answer = match opened {
            Ok(response) if self.call.is_stream => {
                let call = UpstreamCall { model_time: began.elapsed(), ..UpstreamCall::default() };
                return self.stream(request, response, (call, span), calls).await;
            }
            Ok(response) => self.read(response).await,
            Err(error) => Err(upstream::failed(&error)),
        };
        let call = UpstreamCall { model_time: began.elapsed(), ..UpstreamCall::default() };
        let answer = match answer {
            Ok(answer) => answer,
            Err(failed) => {
                span.fail();
                return self.record(request.after(call), failed).await;
            }
        };
        span.end(answer.tokens.attributes());
        let call = UpstreamCall { tokens: answer.tokens, ..call };
        match Box::pin(self.guard.evaluate(request.answer(answer.submission()))).await {
            Ok(evaluated) => {
                let values = Values::of(&request.evaluation.tokens);
                let response = self.shown(&answer, &evaluated, &values);
                self.record(request.followed_by(evaluated, call), response).await
            }
            // Nobody may read what was not evaluated.
            Err(error) => self.record(request.after(call), Error::from(error).into_response()).await,
        }
    }

    /// Returns the answer as it arrives. A task of its own passes it on.
    async fn stream(
        self,
        request: PendingDecision,
        response: OpenResponse,
        (call, span): (UpstreamCall, CallSpan),
        calls: GatewayCalls,
    ) -> Response {
        let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if !kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
            return self.record(request.after(call), upstream::unusable()).await;
        }
        let evaluated = request.answer(Submission::of(Direction::Output, String::new()));
        let answer = match self.guard.open_answer(evaluated, &request.evaluation.tokens).await {
            Ok(answer) => answer,
            Err(error) => {
                return self.record(request.after(call), Error::from(error).into_response()).await;
            }
        };
        let (client, parts) = mpsc::channel(stream::MAX_WAITING);
        let id = request.log_id;
        let streamed = StreamedExchange { exchange: self, request, answer, client, span };
        calls.spawn(streamed.run(response, call));
        with_log_id(stream::response(parts), id)
    }

    /// Records a decision and returns the response with the identifier of its log entry.
    pub async fn record(&self, decision: PendingDecision, response: Response) -> Response {
        let id = decision.log_id;
        if let Err(error) = self.guard.record(decision, SideEffects::default()).await {
            return Error::from(error).into_response();
        }
        with_log_id(response, id)
    }

    /// Returns the answer to a call that `decision` blocks. It stands for the `answer` of the provider, if there is one.
    pub fn refusal(&self, decision: &PendingDecision, reason: &str, answer: Option<&Value>) -> Response {
        let message = message(reason);
        if self.on_block == OnBlock::Error {
            let body = Json(formats::blocked(self.call.format, &message));
            return (StatusCode::BAD_REQUEST, body).into_response();
        }
        let refusal = self.refusal_body(&message, answer, (decision.log_id, decision.call.now));
        if self.call.is_stream {
            let events = stream::refusal::whole(self.call.format, &refusal);
            return stream::with_headers(events.into_response());
        }
        Json(refusal).into_response()
    }

    /// Returns the events that end a stream which is blocked.
    pub fn stream_end(&self, output: &Output, reason: &str, (id, now): (Uuid, Timestamp)) -> String {
        let (format, message) = (self.call.format, message(reason));
        if self.on_block == OnBlock::Error {
            return stream::refusal::error(format, &formats::blocked(format, &message));
        }
        if output.begun.is_empty() {
            let refusal = self.refusal_body(&message, None, (id, now));
            return stream::refusal::whole(format, &refusal);
        }
        stream::refusal::end(format, &output.begun, output.open_block, &message)
    }

    /// Returns the events that end a stream which failed.
    pub fn stream_error(&self, error: &Error) -> String {
        let format = self.call.format;
        stream::refusal::error(format, &formats::error(format, error.status(), error.message()))
    }

    fn refusal_body(&self, message: &str, answer: Option<&Value>, (id, now): (Uuid, Timestamp)) -> Value {
        let (id, model, now) = (id.simple().to_string(), &self.call.model, now.seconds());
        formats::refusal(self.call.format, &Refusal { model, message, answer, id: &id, now })
    }

    async fn read(&self, response: OpenResponse) -> Result<ModelAnswer, Response> {
        let bytes = response.read(MAX_ANSWER, IDLE).await.map_err(|error| upstream::failed(&error))?;
        ModelAnswer::read(self.call.format, bytes).ok_or_else(upstream::unusable)
    }

    fn shown(&self, answer: &ModelAnswer, evaluated: &PendingDecision, values: &Values) -> Response {
        if let Some(reason) = block_reason(&evaluated.evaluation) {
            let body = serde_json::from_str(answer.body()).ok();
            return self.refusal(evaluated, &reason, body.as_ref());
        }
        match answer.shown(&evaluated.evaluation, values) {
            Some(body) => ([(header::CONTENT_TYPE, "application/json")], body).into_response(),
            None => Error::internal("a masked answer is not JSON").into_response(),
        }
    }
}

/// Returns the message to a client.
fn message(reason: &str) -> String {
    format!("This call was blocked: {reason}")
}

fn with_log_id(mut response: Response, id: Uuid) -> Response {
    if let Ok(id) = HeaderValue::from_str(&id.to_string()) {
        response.headers_mut().insert(LOG_ID, id);
    }
    response
}

/// Returns why a text is blocked; `None` if it passes.
pub fn block_reason(evaluation: &Evaluation) -> Option<String> {
    let verdict = &evaluation.verdict;
    (!verdict.outcome.allows()).then(|| verdict.reason.clone().unwrap_or_else(|| NO_REASON.to_owned()))
}

/// Blocks a request whose images hold personal data to mask: the gateway passes images on as they are.
pub fn block_unmasked_images(evaluation: &mut Evaluation) {
    let verdict = &mut evaluation.verdict;
    if verdict.outcome.allows() && evaluation.masked_media.iter().any(|medium| !medium.found.is_empty()) {
        verdict.outcome = Outcome::Block;
        verdict.reason = Some(UNMASKED_IMAGE.to_owned());
    }
}
