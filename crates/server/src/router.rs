//! Every route: a line each, with who may call it, how often, and how large its body may be.

use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware::{from_fn, from_fn_with_state},
};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::{
    OpenApi as _,
    openapi::{
        OpenApi,
        extensions::Extensions,
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};
use utoipa_axum::{
    router::{OpenApiRouter, UtoipaMethodRouter, UtoipaMethodRouterExt as _},
    routes,
};

use crate::{
    app::App,
    connectors, console,
    guard::Operation,
    http::{
        Access, Endpoint, LimitName, admit, correlate, metering, method_not_allowed, panicked,
        permission as may,
    },
    routes::{
        api_keys, audit, auth, autonomous, connectors as connector, dashboard, events, guard, guardrails,
        logs, ops, organization, policies, projects, reviews, roles, tickets, users,
    },
};

use events::subscriptions;

use Access::{Needs, Public, SignedIn, TokenNeeds};

#[derive(utoipa::OpenApi)]
#[openapi(info(
    title = "guardengine",
    description = "The AI guardrail firewall: may this prompt go to the model, may this answer go to the user?",
    license(name = "Apache-2.0", identifier = "Apache-2.0")
))]
struct Document;

const POLICY_VERSION: &str = "/api/policy/{policyId}/versions/{version}";
const POLICY_COMPLIANCE: &str = "/api/policy/{policyId}/compliance";
const CONNECTOR: &str = "/api/connectors/{id}";
const EVENT_SUBSCRIPTIONS: &str = "/api/events/subscriptions";
const EVENT_SUBSCRIPTION: &str = "/api/events/subscriptions/{subscription_id}";
const PROJECT_MEMBERS: &str = "/api/project/{projectId}/members";

/// A route that a newcomer finds by its path.
struct Route(Endpoint, UtoipaMethodRouter<App>);

fn route(path: &'static str, access: Access, handler: UtoipaMethodRouter<App>) -> Route {
    let limit = LimitName::Default;
    Route(Endpoint { path, access, limit, media: false, key_in_body: false, judges: None }, handler)
}

impl Route {
    const fn limited(mut self, limit: LimitName) -> Self {
        self.0.limit = limit;
        self
    }

    const fn judging(mut self, operation: Operation) -> Self {
        self.0.judges = Some(operation.name());
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

/// The endpoints that callers are admitted to.
#[expect(clippy::too_many_lines, reason = "one table, a route a line")]
fn endpoints() -> Vec<Route> {
    vec![
        route("/token", Public, routes!(auth::token::handle)).limited(LimitName::Token),
        route("/login", Public, routes!(auth::login::handle)).limited(LimitName::Login),
        route("/auth/select-org", Public, routes!(auth::select_org::handle)),
        route("/auth/switch-org", SignedIn, routes!(auth::switch_org::handle)),
        route("/refresh", Public, routes!(auth::refresh::handle)).limited(LimitName::Refresh),
        route("/logout", SignedIn, routes!(auth::logout::handle)).limited(LimitName::Logout),
        route("/api/users/me/password", SignedIn, routes!(auth::change_password::handle)),
        route("/api/users/me", SignedIn, routes!(users::me::handle)),
        route("/api/users", Needs(may::CREATE_USER), routes!(users::create::handle)),
        route("/api/users", Needs(may::VIEW_USER), routes!(users::list::handle)),
        route("/api/users/{user_id}", Needs(may::VIEW_USER), routes!(users::get::handle)),
        route("/api/users/{user_id}", Needs(may::UPDATE_USER), routes!(users::update::handle)),
        route("/api/users/{user_id}", Needs(may::DELETE_USER), routes!(users::delete::handle)),
        route("/api/roles", Needs(may::CREATE_ROLE), routes!(roles::create::handle)),
        route("/api/roles", Needs(may::VIEW_ROLE), routes!(roles::list::handle)),
        route("/api/roles/{role_id}", Needs(may::VIEW_ROLE), routes!(roles::get::handle)),
        route("/api/roles/{role_id}", Needs(may::UPDATE_ROLE), routes!(roles::update::handle)),
        route("/api/roles/{role_id}", Needs(may::DELETE_ROLE), routes!(roles::delete::handle)),
        route("/api/permissions", SignedIn, routes!(organization::permissions::handle)),
        route("/api/organization", SignedIn, routes!(organization::get::handle)),
        route("/api/credits", Needs(may::VIEW_CREDIT), routes!(organization::credits::handle)),
        route("/api-keys/create", TokenNeeds(may::CREATE_API_KEY), routes!(api_keys::create::handle)),
        route("/api-keys/list", TokenNeeds(may::VIEW_API_KEY), routes!(api_keys::list::handle)),
        route("/api-keys/{key_id}", TokenNeeds(may::REVOKE_API_KEY), routes!(api_keys::revoke::handle)),
        route("/api/policy/create", Needs(may::CREATE_POLICY), routes!(policies::create::handle)),
        route("/api/policy/list", Needs(may::VIEW_POLICY), routes!(policies::list::handle)),
        route("/api/policy/default", Needs(may::VIEW_POLICY), routes!(policies::default::handle)),
        route("/api/policy/default/test", Needs(may::VIEW_POLICY), routes!(policies::dry_run::by_default)),
        route("/api/policy/generate", Needs(may::CREATE_POLICY), routes!(policies::generate::handle)),
        route("/api/policy/templates", Needs(may::VIEW_POLICY), routes!(policies::templates::handle)),
        route("/api/policy/{policyId}", Needs(may::VIEW_POLICY), routes!(policies::get::handle)),
        route("/api/policy/{policyId}", Needs(may::UPDATE_POLICY), routes!(policies::update::handle)),
        route("/api/policy/{policyId}", Needs(may::DELETE_POLICY), routes!(policies::delete::handle)),
        route("/api/policy/{policyId}/versions", Needs(may::VIEW_POLICY), routes!(policies::versions::list)),
        route(POLICY_VERSION, Needs(may::VIEW_POLICY), routes!(policies::versions::one)),
        route(POLICY_COMPLIANCE, Needs(may::VIEW_POLICY), routes!(policies::compliance::handle)),
        route("/api/policy/{policyId}/test", Needs(may::VIEW_POLICY), routes!(policies::dry_run::handle)),
        route("/api/policy/{policyId}/replay", Needs(may::VIEW_POLICY), routes!(policies::replay::handle)),
        route("/api/guardrails", SignedIn, routes!(guardrails::list::handle)),
        route("/api/project/create", Needs(may::CREATE_PROJECT), routes!(projects::create::handle)),
        route("/api/project/list", Needs(may::VIEW_PROJECT), routes!(projects::list::handle)),
        route("/api/project/{projectId}", Needs(may::VIEW_PROJECT), routes!(projects::get::handle)),
        route("/api/project/{projectId}", Needs(may::UPDATE_PROJECT), routes!(projects::update::handle)),
        route("/api/project/{projectId}", Needs(may::DELETE_PROJECT), routes!(projects::delete::handle)),
        route(PROJECT_MEMBERS, Needs(may::VIEW_PROJECT), routes!(projects::members::list::handle)),
        route(PROJECT_MEMBERS, Needs(may::MANAGE_MEMBERS), routes!(projects::members::add::handle)),
        route(
            "/api/project/{projectId}/members/{username}",
            Needs(may::MANAGE_MEMBERS),
            routes!(projects::members::remove::handle),
        ),
        route("/api/connectors/list", Needs(may::VIEW_CONNECTOR), routes!(connector::list::handle)),
        route("/api/connectors/types", Needs(may::VIEW_CONNECTOR), routes!(connector::types::handle)),
        route(CONNECTOR, Needs(may::CREATE_CONNECTOR), routes!(connector::create::handle)),
        route(CONNECTOR, Needs(may::VIEW_CONNECTOR), routes!(connector::get::handle)),
        route(CONNECTOR, Needs(may::UPDATE_CONNECTOR), routes!(connector::update::handle)),
        route(CONNECTOR, Needs(may::DELETE_CONNECTOR), routes!(connector::delete::handle)),
        route("/api/connectors/{id}/test", Needs(may::UPDATE_CONNECTOR), routes!(connector::test::handle)),
        route("/api/tickets", Needs(may::VIEW_CONNECTOR), routes!(tickets::list::handle)),
        route("/api/tickets/{ticket_id}", Needs(may::VIEW_CONNECTOR), routes!(tickets::get::handle)),
        route(
            "/api/tickets/{ticket_id}/retry",
            Needs(may::UPDATE_CONNECTOR),
            routes!(tickets::retry::handle),
        ),
        route("/api/events", Needs(may::VIEW_LOG), routes!(events::list::handle)),
        route("/api/events/stream", Needs(may::VIEW_LOG), routes!(events::stream::handle)),
        route(EVENT_SUBSCRIPTIONS, Needs(may::CREATE_CONNECTOR), routes!(subscriptions::create::handle)),
        route(EVENT_SUBSCRIPTIONS, Needs(may::VIEW_CONNECTOR), routes!(subscriptions::list::handle)),
        route(EVENT_SUBSCRIPTION, Needs(may::VIEW_CONNECTOR), routes!(subscriptions::get::handle)),
        route(EVENT_SUBSCRIPTION, Needs(may::UPDATE_CONNECTOR), routes!(subscriptions::update::handle)),
        route(EVENT_SUBSCRIPTION, Needs(may::DELETE_CONNECTOR), routes!(subscriptions::delete::handle)),
        route(
            "/api/events/subscriptions/{subscription_id}/replay",
            Needs(may::UPDATE_CONNECTOR),
            routes!(subscriptions::replay::handle),
        ),
        route("/api/logs", Needs(may::VIEW_LOG), routes!(logs::list::handle)),
        route("/api/logs/export", Needs(may::EXPORT_LOG), routes!(logs::export::handle)),
        route("/api/logs/facets", Needs(may::VIEW_LOG), routes!(logs::facets::handle)),
        route("/api/logs/stream", Needs(may::VIEW_LOG), routes!(logs::stream::handle)),
        route("/api/logs/{log_id}", Needs(may::VIEW_LOG), routes!(logs::get::handle)),
        route("/api/logs/{log_id}/mark", Needs(may::MARK_LOG), routes!(logs::feedback::handle)),
        route("/api/logs/{log_id}/reveal", Needs(may::REVEAL_TEXT), routes!(logs::reveal::handle)),
        route("/api/dashboard", Needs(may::VIEW_DASHBOARD), routes!(dashboard::get::handle)),
        route("/api/audit", Needs(may::VIEW_AUDIT), routes!(audit::list::handle)),
        route("/v2/guardengine/svc_firewall_analyze", Needs(may::ANALYZE), routes!(guard::analyze::handle))
            .judging(Operation::Analyze)
            .limited(LimitName::Analyze)
            .with_media(),
        route(
            "/v2/guardengine/svc_firewall_validate",
            Needs(may::VALIDATE),
            routes!(guard::validate::handle),
        )
        .judging(Operation::Validate)
        .with_media(),
        route("/v2/guardengine/analyze_audio", Needs(may::ANALYZE), routes!(guard::audio::handle))
            .judging(Operation::Audio)
            .with_media(),
        route("/v2/pii/mask_image", Needs(may::MASK), routes!(guard::mask_image::handle))
            .judging(Operation::MaskImage)
            .with_media(),
        route("/v2/pii/mask", Needs(may::MASK), routes!(guard::mask::handle)).judging(Operation::Mask),
        route("/v2/pii/unmask", Needs(may::UNMASK), routes!(guard::unmask::handle)),
        route("/api/autonomous/analyze", Needs(may::AUTONOMOUS), routes!(autonomous::analyze::handle))
            .judging(Operation::Autonomous)
            .limited(LimitName::Autonomous)
            .with_key_in_body(),
        route("/api/autonomous/challenge", Needs(may::AUTONOMOUS), routes!(autonomous::challenge::handle))
            .judging(Operation::Challenge)
            .limited(LimitName::Autonomous)
            .with_key_in_body(),
        route(
            "/api/autonomous/reviews/{review_id}",
            Needs(may::AUTONOMOUS),
            routes!(autonomous::review::handle),
        ),
        route("/api/reviews", Needs(may::VIEW_REVIEW), routes!(reviews::list::handle)),
        route("/api/reviews/{review_id}", Needs(may::VIEW_REVIEW), routes!(reviews::get::handle)),
        route("/api/reviews/{review_id}", Needs(may::DECIDE_REVIEW), routes!(reviews::decide::handle)),
    ]
}

/// The endpoints that anybody may call, as often as they like.
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

/// The service over HTTP.
pub fn router(app: &App) -> Router {
    let admitted = |Route(endpoint, handler): Route| {
        let admission = from_fn_with_state((app.clone(), endpoint), admit);
        // A route layer leaves the answer to a wrong method outside: 405 comes before 401.
        handler.map(|methods| methods.route_layer(admission))
    };
    let (router, _) = all(admitted).split_for_parts();
    router
        .fallback(console::answer)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(CatchPanicLayer::custom(panicked))
        .route_layer(from_fn(metering::meter))
        .layer(from_fn(correlate))
        // Admission reads bodies whole, within the configured sizes.
        .layer(DefaultBodyLimit::disable())
        .with_state(app.clone())
}

/// The OpenAPI document.
pub fn openapi() -> String {
    let (_, mut document) = all(|Route(endpoint, handler)| declare(endpoint, handler)).split_for_parts();
    connectors::add_operations(&mut document, CONNECTOR);
    secure(&mut document);
    document.to_pretty_json().unwrap_or_default() + "\n"
}

/// Writes who may call beside each operation: `public`, `signed in`, or the permission.
fn declare(endpoint: Endpoint, mut handler: UtoipaMethodRouter<App>) -> UtoipaMethodRouter<App> {
    for item in handler.1.paths.values_mut() {
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            let access = ("x-access".to_owned(), endpoint.access.to_string());
            operation.extensions.get_or_insert_default().merge(Extensions::from_iter([access]));
        }
    }
    handler
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
