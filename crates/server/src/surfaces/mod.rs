//! Surfaces: interfaces of other products, so that clients which speak them reach the guard unchanged.
//!
//! A surface is a folder. It reads a foreign request into a guard request, calls the guard, and writes the decision in
//! the foreign form. What surfaces share is in the files of this folder: addresses and credentials ([`address`]), who
//! calls under which project ([`call`]), errors in the foreign form ([`error_form`]), messages and their places in a
//! submission ([`messages`], [`conversation`]), texts within JSON ([`json_texts`]),
//! calls that are repeated ([`memory`]), server-sent events ([`sse`]), and texts that are masked while they grow
//! ([`sent_text`]).

mod address;
mod call;
mod call_span;
mod conversation;
mod error_form;
mod gateway;
mod hooks;
mod json_texts;
mod lakera;
mod litellm;
mod mcp;
mod memory;
mod messages;
mod openai;
mod openai_error;
mod presidio;
mod sent_text;
mod sse;

use axum::{
    Router,
    middleware::{from_fn, from_fn_with_state},
    routing::MethodRouter,
};
use guardengine_guard::Operation;

use crate::{
    app::App,
    http::{Access, Admission, Endpoint, LimitName, admit},
};

pub use address::addressed;
pub use error_form::ErrorForm;
pub use gateway::{GatewayCalls, GatewaySettings};
pub use memory::CallMemory;

/// An endpoint of a surface: its admission rules, its handler, and the form of its errors.
pub struct SurfaceRoute {
    endpoint: Endpoint,
    handler: MethodRouter<App>,
    errors: ErrorForm,
}

impl SurfaceRoute {
    /// A route that evaluates nothing, so that its requests have no outcome.
    const fn without_outcome(mut self) -> Self {
        self.endpoint.operation = None;
        self
    }
}

/// A route that counts against `limits.analyze`. `operation` names its requests that are not evaluated.
fn route(
    path: &'static str,
    access: Access,
    operation: Operation,
    handler: MethodRouter<App>,
    errors: ErrorForm,
) -> SurfaceRoute {
    let endpoint = Endpoint {
        path,
        access,
        limit: LimitName::Analyze,
        media: true,
        key_in_body: false,
        operation: Some(operation.name()),
    };
    SurfaceRoute { endpoint, handler, errors }
}

/// Every route of every surface.
fn routes() -> Vec<SurfaceRoute> {
    let surfaces = [
        gateway::routes(),
        litellm::routes(),
        openai::routes(),
        lakera::routes(),
        presidio::routes(),
        hooks::routes(),
        mcp::routes(),
    ];
    surfaces.into_iter().flatten().collect()
}

/// Returns the paths of all surfaces, as templates of the router.
pub fn paths() -> Vec<&'static str> {
    routes().into_iter().map(|route| route.endpoint.path).collect()
}

/// The routes of all surfaces behind admission.
pub fn router(admission: &Admission) -> Router<App> {
    let admitted = |router: Router<App>, SurfaceRoute { endpoint, handler, errors }: SurfaceRoute| {
        let admission = from_fn_with_state((admission.clone(), endpoint), admit);
        // Around admission: its errors have the foreign form, too.
        let errors = from_fn(move |request, next| error_form::apply(errors, request, next));
        router.route(endpoint.path, handler.route_layer(admission).route_layer(errors))
    };
    routes().into_iter().fold(Router::new(), admitted)
}
