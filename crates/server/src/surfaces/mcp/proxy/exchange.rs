//! A request to a server and its answer.

use std::time::Instant;

use axum::{
    Json,
    http::{HeaderName, StatusCode},
    response::{IntoResponse as _, Response},
};
use guardengine_egress::Error as EgressError;
use guardengine_engine::guardrail::Direction;
use guardengine_guard::{
    GuardRequest, Operation, PendingDecision, UpstreamCall, attachments::Attachments, outcome_counter,
};
use guardengine_integrations::mcp;
use guardengine_store::SideEffects;
use opentelemetry::KeyValue;
use serde_json::{Value, json};

use super::{
    Method, NAME,
    binaries::Binaries,
    tools,
    upstream::{Answer, Server},
};
use crate::{
    app::Tenants,
    http::Error,
    surfaces::{
        call::SurfaceCaller,
        call_span::CallSpan,
        conversation::{Conversation, Place},
        gateway::{block_reason, block_unmasked_images},
        json_texts::{replace_texts, texts_in},
        mcp::{
            message::{Message, RpcError},
            refused,
        },
        messages::images,
    },
};

/// Most texts in a request or an answer.
const MAX_TEXTS: usize = 4_000;
const LIST: &str = "tools/list";
const CALL: &str = "tools/call";

/// A request that may be passed on.
pub struct Exchange {
    tenants: Tenants,
    caller: SurfaceCaller,
    server: Server,
    method: &'static Method,
    id: Value,
    body: Value,
}

/// The answer for the model, and the decision about it. There is none where nothing had a text.
struct Outcome {
    decision: Option<PendingDecision>,
    answer: Value,
}

impl Exchange {
    /// Creates the exchange of a message.
    pub fn new(
        tenants: Tenants,
        caller: SurfaceCaller,
        server: Server,
        method: &'static Method,
        message: &Message<'_>,
        body: &Value,
    ) -> Result<Self, RpcError> {
        let id = message.id.cloned().unwrap_or_default();
        let exchange = Self { tenants, caller, server, method, id, body: body.clone() };
        if exchange.sent().len() > MAX_TEXTS {
            return Err(RpcError::params(format!("params: must have at most {MAX_TEXTS} texts")));
        }
        Ok(exchange)
    }

    /// Returns the texts that go to the server.
    fn sent(&self) -> Vec<&str> {
        self.method.sent.iter().flat_map(|field| texts_in(&self.body["params"][*field])).collect()
    }

    fn name(&self) -> Option<&str> {
        self.body["params"]["name"].as_str()
    }

    /// Evaluates the request, passes it on, evaluates the answer, records both as one, and returns what the model gets.
    pub async fn run(mut self) -> Result<Response, Error> {
        outcome_counter::mark_recorded();
        if self.method.name == CALL
            && let Err(refusal) = tools::may_call(&self.tenants, self.server.key(), self.name()).await?
        {
            return Ok(refused(Some(&self.id), &refusal));
        }
        let request = self.evaluate_sent().await?;
        if let Some(reason) = request.as_ref().and_then(|request| block_reason(&request.evaluation)) {
            let answer = self.blocked(&reason);
            return self.finish(Outcome { decision: request, answer }, None).await;
        }
        if let Some(request) = &request {
            self.mask_sent(request);
        }
        let began = Instant::now();
        let answered = self.ask().await;
        let call = UpstreamCall { model_time: began.elapsed(), ..UpstreamCall::default() };
        let Answer { message, session } = match answered {
            Ok(answer) => answer,
            Err(error) => {
                let answer = self.failed(&error);
                let decision = request.map(|request| request.after(call));
                return self.finish(Outcome { decision, answer }, None).await;
            }
        };
        let outcome = self.evaluate_answer(request, message, call).await?;
        self.finish(outcome, session).await
    }

    async fn evaluate_sent(&self) -> Result<Option<PendingDecision>, Error> {
        let texts = self.sent();
        if texts.is_empty() {
            return Ok(None);
        }
        let submission = Conversation::of_subjects(Direction::Output, &texts).submission;
        let request = self.caller.request(NAME, Operation::Validate, submission, None)?;
        Ok(Some(Box::pin(self.caller.guard.evaluate(request)).await?))
    }

    fn mask_sent(&mut self, request: &PendingDecision) {
        let texts = self.sent();
        let places = Conversation::of_subjects(Direction::Output, &texts).places;
        let shown =
            |(place, text): (&Place, &&str)| place.masked(&request.evaluation).unwrap_or(text).to_owned();
        let shown: Vec<String> = places.iter().zip(&texts).map(shown).collect();
        let mut shown = shown.into_iter();
        for field in self.method.sent {
            if let Some(value) = self.body["params"].get_mut(*field) {
                replace_texts(value, &mut shown);
            }
        }
    }

    async fn ask(&self) -> Result<Answer, EgressError> {
        let name = if self.method.name == CALL { self.name() } else { None };
        let (method, connector) = (self.method.name, self.server.key().1.to_string());
        let attributes = vec![
            KeyValue::new("mcp.method.name", method),
            KeyValue::new("guardengine.connector_id", connector),
        ];
        let span = CallSpan::start(self.caller.guard.traces(), format!("mcp {method}"), attributes);
        let headers = span.headers();
        let answered = match self.server.send(method, name, self.body.to_string(), &headers).await {
            Ok(response) => Server::read(response, &self.id).await,
            Err(error) => Err(error),
        };
        match &answered {
            Ok(_) => span.end([]),
            Err(_) => span.fail(),
        }
        answered
    }

    /// Evaluates what came back. `message` is a JSON-RPC answer; anything else is none.
    async fn evaluate_answer(
        &self,
        request: Option<PendingDecision>,
        message: Value,
        call: UpstreamCall,
    ) -> Result<Outcome, Error> {
        let is_answer = message["jsonrpc"] == "2.0"
            && message.get("id") == Some(&self.id)
            && (message.get("result").is_some() || message.get("error").is_some());
        let mut answer =
            if is_answer { message } else { self.error("the server sent no answer that can be read") };
        let binaries = Binaries::take(&mut answer);
        let conversation = {
            let texts = content(&answer);
            if texts.len() > MAX_TEXTS {
                let refusal = self.error(&format!("the answer has more than {MAX_TEXTS} texts"));
                return Ok(Outcome { decision: request.map(|request| request.after(call)), answer: refusal });
            }
            Conversation::of_documents(&texts)
        };
        if conversation.places.is_empty() && binaries.is_empty() {
            return Ok(Outcome { decision: request.map(|request| request.after(call)), answer });
        }
        let mut submission = conversation.submission;
        let urls = binaries.image_urls();
        let attached = images("image", &urls.iter().map(String::as_str).collect::<Vec<_>>());
        submission.has_unread = binaries.has_unread() || attached.has_unread;
        let evaluation = match &request {
            Some(request) => request.next(Operation::Analyze, submission),
            None => self.caller.request(NAME, Operation::Analyze, submission, None)?,
        };
        let attached = Attachments { images: attached.files, ..Attachments::default() };
        let mut evaluated =
            Box::pin(self.caller.guard.evaluate(GuardRequest { attached, ..evaluation })).await?;
        block_unmasked_images(&mut evaluated.evaluation);
        let shown = if self.method.name == LIST {
            self.offered(&evaluated, answer).await?
        } else if let Some(reason) = block_reason(&evaluated.evaluation) {
            self.blocked(&reason)
        } else {
            masked(&evaluated, answer, binaries)
        };
        let decision = match request {
            Some(request) => request.followed_by(evaluated, call),
            None => evaluated.after(call),
        };
        Ok(Outcome { decision: Some(decision), answer: shown })
    }

    /// Returns the list of tools without those that are blocked, and those whose definition changed.
    async fn offered(&self, evaluated: &PendingDecision, mut answer: Value) -> Result<Value, Error> {
        let Some(tools) = answer["result"]["tools"].as_array() else {
            return Ok(block_reason(&evaluated.evaluation).map_or(answer, |reason| self.blocked(&reason)));
        };
        let blocked = tools::blocked(&evaluated.evaluation.verdict, tools, content(&answer).len());
        let passed: Vec<&Value> =
            tools.iter().zip(blocked).filter(|(_, blocked)| !blocked).map(|(tool, _)| tool).collect();
        let accepted =
            tools::accepted(&self.tenants, &self.caller.principal, self.server.connector(), &passed).await?;
        answer["result"]["tools"] = accepted.into_iter().cloned().collect::<Vec<_>>().into();
        Ok(answer)
    }

    /// Returns the answer in place of one that is blocked. A model reads why its call of a tool failed.
    fn blocked(&self, reason: &str) -> Value {
        let text = format!("This call was blocked: {reason}");
        if self.method.name != CALL {
            return self.error(&text);
        }
        let result = json!({ "content": [{ "type": "text", "text": text }], "isError": true,
            "resultType": "complete" });
        json!({ "jsonrpc": "2.0", "id": self.id, "result": result })
    }

    fn failed(&self, error: &EgressError) -> Value {
        tracing::warn!(%error, connector = %self.server.key().1, "an MCP server failed");
        self.error(match error {
            EgressError::TimedOut(_) => "the server did not answer in time",
            EgressError::Busy | EgressError::CircuitOpen(_) => "the server is not available, try again later",
            EgressError::TooLarge(_) => "the answer of the server is too large",
            _ => "the server cannot be reached, or refused the request",
        })
    }

    fn error(&self, message: &str) -> Value {
        json!({ "jsonrpc": "2.0", "id": self.id, "error": RpcError::service(message).body() })
    }

    /// Records the decision, and only then answers.
    async fn finish(
        &self,
        outcome: Outcome,
        session: Option<axum::http::HeaderValue>,
    ) -> Result<Response, Error> {
        if let Some(decision) = outcome.decision {
            self.caller.guard.record(decision, SideEffects::default()).await?;
        }
        let mut response = (StatusCode::OK, Json(outcome.answer)).into_response();
        if let Some(session) = session {
            response.headers_mut().insert(HeaderName::from_static(mcp::SESSION_HEADER), session);
        }
        Ok(response)
    }
}

/// Returns the texts of an answer, of its result or its error.
fn content(answer: &Value) -> Vec<&str> {
    let mut texts = answer.get("result").map(texts_in).unwrap_or_default();
    texts.extend(answer.get("error").map(texts_in).unwrap_or_default());
    texts
}

fn masked(evaluated: &PendingDecision, mut answer: Value, binaries: Binaries) -> Value {
    let documents = evaluated.evaluation.masked_documents.clone().unwrap_or_default();
    let mut documents = documents.into_iter();
    for part in ["result", "error"] {
        if let Some(value) = answer.get_mut(part) {
            replace_texts(value, &mut documents);
        }
    }
    binaries.put_back(&mut answer);
    answer
}
