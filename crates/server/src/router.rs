//! The table of routes: access, rate limit and body size of each. Path and method come from the handler's attribute.

use Access::{Needs, Public, SignedIn, TokenNeeds};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware::{from_fn, from_fn_with_state},
};
use events::subscriptions;
use guardengine_auth::permission as may;
use guardengine_guard::Operation;
use tower::util::option_layer;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::{
    OpenApi as _,
    openapi::{
        ContentBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder,
        extensions::Extensions,
        path::Operation as ApiOperation,
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};
use utoipa_axum::{
    router::{OpenApiRouter, UtoipaMethodRouter, UtoipaMethodRouterExt as _},
    routes,
};

pub use crate::surfaces::paths as surface_paths;
use crate::{
    app::App,
    console,
    http::{
        Access, Endpoint, LimitName, admit, check_message, compress, correlate, layers::metrics,
        method_not_allowed, panicked, trace, under,
    },
    routes::{
        alerts, api_keys, audit, auth, autonomous, connectors as connector, dashboard, engine, evaluation,
        events, guard, guardrails, invitations, jobs, logs, ops, organization, policies, projects, reviews,
        roles, tickets, usage, users, views,
    },
    schemas, surfaces,
};

#[derive(utoipa::OpenApi)]
#[openapi(info(
    title = "guardengine",
    description = "The AI guardrail firewall: may this prompt go to the model, may this answer go to the user?",
    license(name = "Apache-2.0", identifier = "Apache-2.0")
))]
struct Document;

/// The path whose operation [`connector::openapi::add_operations`] splits by connector type.
const CONNECTOR: &str = "/api/connectors/{id}";

/// A handler with its admission rules.
struct Route(Endpoint, UtoipaMethodRouter<App>);

/// A route with the default limit, whose body is JSON. `handler` has one path.
fn route(access: Access, handler: UtoipaMethodRouter<App>) -> Route {
    // Rate limits are keyed by the path. Routes live as long as the process, so leaking it costs nothing.
    let path = handler.1.paths.keys().next().cloned().unwrap_or_default().leak();
    let limit = LimitName::Default;
    Route(Endpoint { path, access, limit, media: false, key_in_body: false, operation: None }, handler)
}

impl Route {
    const fn limited(mut self, limit: LimitName) -> Self {
        self.0.limit = limit;
        self
    }

    const fn counted_as(mut self, operation: Operation) -> Self {
        self.0.operation = Some(operation.name());
        self
    }

    const fn with_key_in_body(mut self) -> Self {
        self.0.key_in_body = true;
        self
    }

    const fn with_media(mut self) -> Self {
        self.0.media = true;
        self
    }
}

/// The routes behind admission.
#[expect(clippy::too_many_lines, reason = "one table, one route per line")]
fn endpoints() -> Vec<Route> {
    vec![
        route(Public, routes!(auth::token::handle)).limited(LimitName::Token),
        route(Public, routes!(auth::login::handle)).limited(LimitName::Login),
        route(Public, routes!(auth::select_org::handle)),
        route(Public, routes!(auth::invitation::handle)).limited(LimitName::Login),
        route(Public, routes!(auth::accept_invitation::handle)).limited(LimitName::Login),
        route(SignedIn, routes!(auth::switch_org::handle)),
        route(Public, routes!(auth::refresh::handle)).limited(LimitName::Refresh),
        route(SignedIn, routes!(auth::logout::handle)).limited(LimitName::Logout),
        route(SignedIn, routes!(auth::change_password::handle)),
        route(SignedIn, routes!(users::me::handle)),
        route(SignedIn, routes!(users::sessions::list)),
        route(SignedIn, routes!(users::sessions::end)),
        route(SignedIn, routes!(users::sessions::end_others)),
        route(Needs(may::CREATE_USER), routes!(users::create::handle)),
        route(Needs(may::VIEW_USER), routes!(users::list::handle)),
        route(Needs(may::VIEW_USER), routes!(users::get::handle)),
        route(Needs(may::UPDATE_USER), routes!(users::update::handle)),
        route(Needs(may::DELETE_USER), routes!(users::delete::handle)),
        route(Needs(may::UPDATE_USER), routes!(users::sessions::end_of_user)),
        route(Needs(may::CREATE_USER), routes!(invitations::create::handle)),
        route(Needs(may::VIEW_USER), routes!(invitations::list::handle)),
        route(Needs(may::CREATE_USER), routes!(invitations::revoke::handle)),
        route(Needs(may::CREATE_ROLE), routes!(roles::create::handle)),
        route(Needs(may::VIEW_ROLE), routes!(roles::list::handle)),
        route(Needs(may::VIEW_ROLE), routes!(roles::get::handle)),
        route(Needs(may::UPDATE_ROLE), routes!(roles::update::handle)),
        route(Needs(may::DELETE_ROLE), routes!(roles::delete::handle)),
        route(SignedIn, routes!(organization::permissions::handle)),
        route(SignedIn, routes!(organization::get::handle)),
        route(Needs(may::UPDATE_ORGANIZATION), routes!(organization::update::handle)),
        route(Needs(may::VIEW_CREDIT), routes!(organization::credits::handle)),
        route(Needs(may::VIEW_CREDIT), routes!(organization::usage::handle)),
        route(Needs(may::VIEW_CREDIT), routes!(usage::get::handle)),
        route(TokenNeeds(may::CREATE_API_KEY), routes!(api_keys::create::handle)),
        route(TokenNeeds(may::VIEW_API_KEY), routes!(api_keys::list::handle)),
        route(TokenNeeds(may::REVOKE_API_KEY), routes!(api_keys::revoke::handle)),
        route(Needs(may::CREATE_POLICY), routes!(policies::create::handle)),
        route(Needs(may::VIEW_POLICY), routes!(policies::list::handle)),
        route(Needs(may::VIEW_POLICY), routes!(policies::default::handle)),
        route(Needs(may::VIEW_POLICY), routes!(policies::dry_run::by_default)),
        route(Needs(may::CREATE_POLICY), routes!(policies::generate::handle)),
        route(Needs(may::VIEW_POLICY), routes!(policies::templates::handle)),
        route(Needs(may::VIEW_POLICY), routes!(policies::get::handle)),
        route(Needs(may::UPDATE_POLICY), routes!(policies::update::handle)),
        route(Needs(may::DELETE_POLICY), routes!(policies::delete::handle)),
        route(Needs(may::VIEW_POLICY), routes!(policies::versions::list)),
        route(Needs(may::VIEW_POLICY), routes!(policies::versions::one)),
        route(Needs(may::VIEW_POLICY), routes!(policies::compliance::handle)),
        route(Needs(may::VIEW_POLICY), routes!(policies::dry_run::handle)),
        route(Needs(may::VIEW_POLICY), routes!(policies::replay::handle)),
        route(Needs(may::UPDATE_POLICY), routes!(evaluation::datasets::create::handle)).with_media(),
        route(Needs(may::UPDATE_POLICY), routes!(evaluation::datasets::preview::handle)).with_media(),
        route(Needs(may::UPDATE_POLICY), routes!(evaluation::datasets::feedback::handle)),
        route(Needs(may::VIEW_POLICY), routes!(evaluation::datasets::list::handle)),
        route(Needs(may::VIEW_POLICY), routes!(evaluation::datasets::get::handle)),
        route(Needs(may::VIEW_POLICY), routes!(evaluation::datasets::cases::handle)),
        route(Needs(may::UPDATE_POLICY), routes!(evaluation::datasets::delete::handle)),
        route(Needs(may::UPDATE_POLICY), routes!(evaluation::runs::start::handle)),
        route(Needs(may::VIEW_POLICY), routes!(evaluation::runs::list::handle)),
        route(Needs(may::VIEW_POLICY), routes!(evaluation::runs::get::handle)),
        route(Needs(may::VIEW_POLICY), routes!(evaluation::runs::wrong::handle)),
        route(Needs(may::VIEW_POLICY), routes!(evaluation::runs::sweep::handle)),
        route(Needs(may::VIEW_POLICY), routes!(evaluation::runs::comparison::handle)),
        route(Needs(may::UPDATE_POLICY), routes!(evaluation::runs::cancel::handle)),
        route(Needs(may::UPDATE_POLICY), routes!(evaluation::runs::delete::handle)),
        route(SignedIn, routes!(guardrails::list::handle)),
        route(Needs(may::CREATE_PROJECT), routes!(projects::create::handle)),
        route(Needs(may::VIEW_PROJECT), routes!(projects::list::handle)),
        route(Needs(may::VIEW_PROJECT), routes!(projects::get::handle)),
        route(Needs(may::UPDATE_PROJECT), routes!(projects::update::handle)),
        route(Needs(may::DELETE_PROJECT), routes!(projects::delete::handle)),
        route(Needs(may::VIEW_PROJECT), routes!(projects::members::list::handle)),
        route(Needs(may::MANAGE_MEMBERS), routes!(projects::members::add::handle)),
        route(Needs(may::MANAGE_MEMBERS), routes!(projects::members::remove::handle)),
        route(Needs(may::VIEW_CONNECTOR), routes!(connector::list::handle)),
        route(Needs(may::VIEW_CONNECTOR), routes!(connector::types::handle)),
        route(Needs(may::CREATE_CONNECTOR), routes!(connector::create::handle)),
        route(Needs(may::VIEW_CONNECTOR), routes!(connector::get::handle)),
        route(Needs(may::UPDATE_CONNECTOR), routes!(connector::update::handle)),
        route(Needs(may::DELETE_CONNECTOR), routes!(connector::delete::handle)),
        route(Needs(may::UPDATE_CONNECTOR), routes!(connector::test::handle)),
        route(Needs(may::VIEW_CONNECTOR), routes!(connector::tools::list)),
        route(Needs(may::UPDATE_CONNECTOR), routes!(connector::tools::accept)),
        route(Needs(may::VIEW_CONNECTOR), routes!(tickets::list::handle)),
        route(Needs(may::VIEW_CONNECTOR), routes!(tickets::get::handle)),
        route(Needs(may::UPDATE_CONNECTOR), routes!(tickets::retry::handle)),
        route(Needs(may::VIEW_LOG), routes!(events::list::handle)),
        route(Needs(may::VIEW_LOG), routes!(events::stream::handle)),
        route(Needs(may::CREATE_CONNECTOR), routes!(subscriptions::create::handle)),
        route(Needs(may::VIEW_CONNECTOR), routes!(subscriptions::list::handle)),
        route(Needs(may::VIEW_CONNECTOR), routes!(subscriptions::get::handle)),
        route(Needs(may::UPDATE_CONNECTOR), routes!(subscriptions::update::handle)),
        route(Needs(may::DELETE_CONNECTOR), routes!(subscriptions::delete::handle)),
        route(Needs(may::UPDATE_CONNECTOR), routes!(subscriptions::replay::handle)),
        route(Needs(may::CREATE_CONNECTOR), routes!(alerts::create::handle)),
        route(Needs(may::VIEW_CONNECTOR), routes!(alerts::list::handle)),
        route(Needs(may::VIEW_CONNECTOR), routes!(alerts::get::handle)),
        route(Needs(may::UPDATE_CONNECTOR), routes!(alerts::update::handle)),
        route(Needs(may::DELETE_CONNECTOR), routes!(alerts::delete::handle)),
        route(Needs(may::UPDATE_CONNECTOR), routes!(alerts::test::handle)),
        route(Needs(may::VIEW_CONNECTOR), routes!(alerts::deliveries::list)),
        route(Needs(may::UPDATE_CONNECTOR), routes!(alerts::deliveries::retry)),
        route(Needs(may::VIEW_LOG), routes!(logs::list::handle)),
        route(Needs(may::EXPORT_LOG), routes!(logs::export::handle)),
        route(Needs(may::VIEW_LOG), routes!(logs::facets::handle)),
        route(Needs(may::VIEW_LOG), routes!(logs::histogram::handle)),
        route(Needs(may::VIEW_LOG), routes!(logs::stream::handle)),
        route(Needs(may::VIEW_LOG), routes!(logs::get::handle)),
        route(Needs(may::MARK_LOG), routes!(logs::feedback::handle)),
        route(Needs(may::REVEAL_TEXT), routes!(logs::reveal::handle)),
        route(Needs(may::VIEW_LOG), routes!(views::create::handle)),
        route(Needs(may::VIEW_LOG), routes!(views::list::handle)),
        route(Needs(may::VIEW_LOG), routes!(views::update::handle)),
        route(Needs(may::VIEW_LOG), routes!(views::delete::handle)),
        route(Needs(may::VIEW_ENGINE), routes!(engine::status::handle)),
        route(Needs(may::VIEW_DASHBOARD), routes!(dashboard::get::handle)),
        route(Needs(may::VIEW_AUDIT), routes!(audit::list::handle)),
        route(Needs(may::VIEW_AUDIT), routes!(audit::verify::handle)),
        route(Needs(may::ANALYZE), routes!(guard::analyze::handle))
            .counted_as(Operation::Analyze)
            .limited(LimitName::Analyze)
            .with_media(),
        route(SignedIn, routes!(jobs::list::handle)),
        route(SignedIn, routes!(jobs::get::handle)),
        route(SignedIn, routes!(jobs::audio::handle)),
        route(Needs(may::VALIDATE), routes!(guard::validate::handle))
            .counted_as(Operation::Validate)
            .with_media(),
        route(Needs(may::ANALYZE), routes!(guard::audio::handle)).counted_as(Operation::Audio).with_media(),
        route(Needs(may::MASK), routes!(guard::mask_image::handle))
            .counted_as(Operation::MaskImage)
            .with_media(),
        route(Needs(may::MASK), routes!(guard::mask_document::handle))
            .counted_as(Operation::MaskDocument)
            .with_media(),
        route(Needs(may::MASK), routes!(guard::mask::handle)).counted_as(Operation::Mask),
        route(Needs(may::UNMASK), routes!(guard::unmask::handle)),
        route(Needs(may::AUTONOMOUS), routes!(autonomous::analyze::handle))
            .counted_as(Operation::Autonomous)
            .limited(LimitName::Autonomous)
            .with_media()
            .with_key_in_body(),
        route(Needs(may::AUTONOMOUS), routes!(autonomous::challenge::handle))
            .counted_as(Operation::Challenge)
            .limited(LimitName::Autonomous)
            .with_media()
            .with_key_in_body(),
        route(Needs(may::AUTONOMOUS), routes!(autonomous::review::handle)),
        route(Needs(may::VIEW_REVIEW), routes!(reviews::list::handle)),
        route(Needs(may::VIEW_REVIEW), routes!(reviews::get::handle)),
        route(Needs(may::DECIDE_REVIEW), routes!(reviews::decide::handle)),
    ]
}

/// The routes without admission: public and unlimited.
fn open() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(ops::home::handle))
        .routes(routes!(ops::docs::handle))
        .routes(routes!(ops::openapi::handle))
        .routes(routes!(ops::health::live))
        .routes(routes!(ops::health::ready))
        .routes(routes!(ops::metrics::handle))
}

fn all(admitted: impl Fn(Route) -> UtoipaMethodRouter<App>) -> OpenApiRouter<App> {
    let empty = OpenApiRouter::with_openapi(Document::openapi()).merge(open());
    endpoints().into_iter().map(admitted).fold(empty, OpenApiRouter::routes)
}

/// The HTTP service.
pub fn router(app: &App) -> Router {
    let admitted = |Route(endpoint, handler): Route| {
        let admission = from_fn_with_state((app.admission.clone(), endpoint), admit);
        // A route layer does not see requests with another method: they get 405, not 401.
        handler.map(|methods| methods.route_layer(admission))
    };
    let (router, _) = all(admitted).split_for_parts();
    let router = router
        .merge(surfaces::router(&app.admission))
        .fallback(console::answer)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(from_fn(compress))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(check_message))
        .layer(from_fn(metrics::meter))
        .layer(from_fn(correlate))
        .layer(option_layer(app.operations.traces.clone().map(|export| from_fn_with_state(export, trace))))
        // Admission buffers bodies within the configured sizes.
        .layer(DefaultBodyLimit::disable())
        .with_state(app.clone());
    let settings = &app.operations.settings;
    under(&settings.base_url, surfaces::addressed(surfaces::paths(), settings.key_in_path, router))
}

/// The OpenAPI document.
pub fn openapi() -> String {
    let (_, mut document) = all(|Route(endpoint, handler)| declare(endpoint, handler)).split_for_parts();
    connector::openapi::add_operations(&mut document, CONNECTOR);
    schemas::uuids::add_patterns(&mut document);
    secure(&mut document);
    document.to_pretty_json().unwrap_or_default() + "\n"
}

/// Adds to each operation what follows from its endpoint: `x-access` (`public`, `signed in` or the permission) and the
/// shared error responses. A response that the handler describes itself stays.
fn declare(endpoint: Endpoint, mut handler: UtoipaMethodRouter<App>) -> UtoipaMethodRouter<App> {
    for item in handler.1.paths.values_mut() {
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            let access = ("x-access".to_owned(), endpoint.access.to_string());
            operation.extensions.get_or_insert_default().merge(Extensions::from_iter([access]));
            for (status, description) in shared_errors(endpoint.access, operation) {
                let responses = &mut operation.responses.responses;
                responses.entry(status.to_owned()).or_insert_with(|| error_response(description));
            }
        }
    }
    handler
}

/// Errors of admission and of the extractors of parameters and bodies: status and description.
fn shared_errors(access: Access, operation: &ApiOperation) -> Vec<(&'static str, String)> {
    let has_input = operation.request_body.is_some() || operation.parameters.is_some();
    let unauthenticated = match access {
        Public => None,
        SignedIn | Needs(_) => Some("Missing or invalid credentials"),
        TokenNeeds(_) => Some("Missing or invalid access token; API keys are not accepted"),
    };
    let forbidden = match access {
        Public | SignedIn => None,
        Needs(permission) | TokenNeeds(permission) => Some(format!("Missing permission `{permission}`")),
    };
    let errors = [
        ("401", unauthenticated.map(str::to_owned)),
        ("403", forbidden),
        ("413", Some("Request body too large".to_owned())),
        ("415", operation.request_body.is_some().then(|| "Unsupported content encoding".to_owned())),
        ("422", has_input.then(|| "Missing or invalid parameter or field".to_owned())),
        ("429", Some("Rate limit exceeded".to_owned())),
        ("500", Some("Internal error; the log has the details under the correlation id".to_owned())),
        (
            "503",
            Some(
                "The store does not answer, or the service is overloaded; retry after `Retry-After`"
                    .to_owned(),
            ),
        ),
    ];
    errors.into_iter().filter_map(|(status, description)| Some((status, description?))).collect()
}

fn error_response(description: String) -> RefOr<Response> {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
    ResponseBuilder::new().description(description).content("application/json", content).into()
}

fn secure(document: &mut OpenApi) {
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    components.add_security_scheme(
        "api_key",
        SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::new("X-API-Key"))),
    );
}
