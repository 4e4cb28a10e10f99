//! The gateway: the APIs of OpenAI and Anthropic in front of their models, guarded before and after.
//!
//! A call is read ([`call`]) where its format has texts ([`formats`]), evaluated, passed on to the connector that the
//! project's settings name ([`settings`], [`upstream`]), and answered with what the guard lets through of the model's
//! answer ([`exchange`], [`answer`]), as a whole or while it arrives ([`stream`]). Bodies are edited as they are written ([`json`]), so that only masked values change.

mod answer;
mod call;
mod exchange;
mod formats;
mod json;
mod models;
mod settings;
mod stream;
mod texts;
mod upstream;
mod usage;

use axum::{
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
    routing::{get, post},
};
use guardengine_auth::{Principal, permission, project_access};
use guardengine_guard::{Operation, outcome_counter};
use guardengine_integrations::{Integrations, llm::gateway::WireFormat};
use opentelemetry::context::FutureExt as _;
use serde_json::Value;
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use self::{call::ModelCall, exchange::Exchange, upstream::Upstream};
use super::{SurfaceRoute, call::SurfaceCaller, openai_error::openai_error, route};
use crate::{
    app::Operations,
    http::{Access, Error},
};

pub use exchange::{block_reason, block_unmasked_images};
pub use settings::GatewaySettings;

const NAME: &str = "gateway";

/// Calls that were passed on. A drain waits for them.
#[derive(Clone, Debug)]
pub struct GatewayCalls(pub TaskTracker);

impl GatewayCalls {
    /// Starts a task that continues the current trace.
    pub fn spawn<T: Send + 'static>(&self, task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
        self.0.spawn(task.with_current_context())
    }
}

/// The routes of this surface.
pub fn routes() -> Vec<SurfaceRoute> {
    let (access, operation) = (Access::Needs(permission::ANALYZE), Operation::Analyze);
    vec![
        route("/v1/chat/completions", access, operation, post(chat), openai_error),
        route("/v1/responses", access, operation, post(responses), openai_error),
        route("/v1/messages", access, operation, post(messages), anthropic),
        route("/v1/models", access, operation, get(models::handle), openai_error),
    ]
}

fn anthropic(status: StatusCode, detail: &str) -> (StatusCode, Value) {
    (status, formats::anthropic_error(status, detail))
}

type Parts = (State<Operations>, State<Integrations>, State<GatewayCalls>);

async fn chat(
    parts: Parts,
    caller: SurfaceCaller,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Error> {
    handle(WireFormat::Chat, parts, caller, headers, body).await
}

async fn responses(
    parts: Parts,
    caller: SurfaceCaller,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Error> {
    handle(WireFormat::Responses, parts, caller, headers, body).await
}

async fn messages(
    parts: Parts,
    caller: SurfaceCaller,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Error> {
    handle(WireFormat::Messages, parts, caller, headers, body).await
}

async fn handle(
    format: WireFormat,
    (State(operations), State(integrations), State(calls)): Parts,
    caller: SurfaceCaller,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Error> {
    caller.needs(permission::VALIDATE)?;
    let (call, request) = ModelCall::read(format, &caller, body)?;
    let settings = of_project(&operations, &integrations, &caller.principal, request.project()).await?;
    let route = settings.as_ref().and_then(|settings| settings.route(&call.model));
    let (settings, route) = settings.as_ref().zip(route).ok_or_else(|| Error::not_found("model"))?;
    let upstream = Upstream::of(&integrations, &caller.principal, route, format, &headers).await?;
    let mut decision = Box::pin(caller.guard.evaluate(request)).await?;
    block_unmasked_images(&mut decision.evaluation);
    let mut exchange = Exchange { guard: caller.guard, call, on_block: settings.on_block };
    if let Some(reason) = block_reason(&decision.evaluation) {
        let response = exchange.refusal(&decision, &reason, None);
        return Ok(exchange.record(decision, response).await);
    }
    let body = exchange.call.passed_on(&decision.evaluation, route)?;
    // The task records the call, whatever becomes of the client.
    outcome_counter::mark_recorded();
    calls.spawn(exchange.run(decision, upstream, body, calls.clone())).await.map_err(Error::internal)
}

/// Returns the settings of a project's gateway; `None` without a project or a gateway.
async fn of_project(
    operations: &Operations,
    integrations: &Integrations,
    caller: &Principal,
    project: Option<Uuid>,
) -> Result<Option<GatewaySettings>, Error> {
    let Some(id) = project else { return Ok(None) };
    outcome_counter::set_project(id);
    let project = operations.health.run(project_access::project(&integrations.db, caller, id)).await?;
    Ok(GatewaySettings::stored(project.gateway.as_deref()))
}
