//! Every route × every role, against the table of the contract. A route that does not declare who may call it fails.

use std::collections::BTreeSet;

use guardengine_auth::permission::ALL;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    operations::{document, operations},
    service::Running,
};

/// What answers to anybody, beside the routes that callers are admitted to.
const PAGES: [&str; 6] = ["/", "/docs", "/openapi.json", "/healthz", "/readyz", "/metrics"];
const PUBLIC: [&str; 4] = ["/token", "/login", "/refresh", "/auth/select-org"];
const SIGNED_IN: [&str; 7] = [
    "/logout",
    "/auth/switch-org",
    "/api/users/me",
    "/api/users/me/password",
    "/api/guardrails",
    "/api/permissions",
    "/api/organization",
];

const ROLES: [&str; 5] = ["owner", "admin", "developer", "analyst", "viewer"];
const ADMIN_LACKS: [&str; 4] =
    ["ROLES:CREATE_ROLE", "ROLES:UPDATE_ROLE", "ROLES:DELETE_ROLE", "USERS:DELETE_USER"];
const DEVELOPER: [&str; 20] = [
    "FIREWALL:ANALYZE",
    "FIREWALL:VALIDATE",
    "FIREWALL:MASK",
    "FIREWALL:AUTONOMOUS",
    "API_KEYS:CREATE_API_KEY",
    "API_KEYS:VIEW_API_KEY",
    "API_KEYS:REVOKE_API_KEY",
    "PROJECTS:CREATE_PROJECT",
    "PROJECTS:VIEW_PROJECT",
    "PROJECTS:UPDATE_PROJECT",
    "PROJECTS:DELETE_PROJECT",
    "PROJECTS:MANAGE_MEMBERS",
    "FIREWALL_POLICIES:CREATE_POLICY",
    "FIREWALL_POLICIES:VIEW_POLICY",
    "FIREWALL_POLICIES:UPDATE_POLICY",
    "FIREWALL_POLICIES:DELETE_POLICY",
    "CONNECTORS:VIEW_CONNECTOR",
    "LOGS:VIEW_LOG",
    "DASHBOARD:VIEW_DASHBOARD",
    "CREDITS:VIEW_CREDIT",
];
const ANALYST: [&str; 12] = [
    "FIREWALL:ANALYZE",
    "FIREWALL:VALIDATE",
    "FIREWALL:MASK",
    "LOGS:VIEW_LOG",
    "LOGS:EXPORT_LOG",
    "LOGS:MARK_LOG",
    "DASHBOARD:VIEW_DASHBOARD",
    "FIREWALL_POLICIES:VIEW_POLICY",
    "PROJECTS:VIEW_PROJECT",
    "CREDITS:VIEW_CREDIT",
    "REVIEWS:VIEW_REVIEW",
    "REVIEWS:DECIDE_REVIEW",
];
const VIEWER: [&str; 6] = [
    "FIREWALL_POLICIES:VIEW_POLICY",
    "PROJECTS:VIEW_PROJECT",
    "CONNECTORS:VIEW_CONNECTOR",
    "LOGS:VIEW_LOG",
    "DASHBOARD:VIEW_DASHBOARD",
    "CREDITS:VIEW_CREDIT",
];

fn holds(role: &str, permission: &str) -> bool {
    match role {
        "owner" => true,
        "admin" => !ADMIN_LACKS.contains(&permission),
        "developer" => DEVELOPER.contains(&permission),
        "analyst" => ANALYST.contains(&permission),
        _ => VIEWER.contains(&permission),
    }
}

/// A route that callers are admitted to, and what it says of who may call it.
struct Route {
    method: Method,
    path: String,
    access: String,
}

impl Route {
    /// The permission that it needs.
    fn permission(&self) -> Option<&str> {
        ALL.iter().any(|known| known.to_string() == self.access).then_some(self.access.as_str())
    }
}

fn routes() -> Vec<Route> {
    let route = |(method, path, operation): (Method, String, Value)| {
        let access = operation["x-access"].as_str().map(str::to_owned);
        let access = access.unwrap_or_else(|| panic!("{method} {path} does not declare who may call it"));
        Route { method, path, access }
    };
    let is_admitted = |(_, path, _): &(Method, String, Value)| !PAGES.contains(&path.as_str());
    operations(&document()).into_iter().filter(is_admitted).map(route).collect()
}

/// The permission that an otherwise empty request was refused for.
async fn refused_for(service: &Running, token: &str, route: &Route) -> Option<String> {
    let path = route.path.replace(['{', '}'], "");
    let request = service.request(route.method.clone(), &path).bearer_auth(token).json(&json!({}));
    let response = request.send().await.unwrap();
    if response.status() != 403 {
        // A stream that is open has no end to wait for.
        return None;
    }
    let body: Value = response.json().await.unwrap();
    body["detail"].as_str()?.strip_prefix("missing required permission: ").map(str::to_owned)
}

async fn unlimited() -> Running {
    Running::with(&[("limits.default", "off"), ("limits.analyze", "off"), ("limits.token", "off")]).await
}

#[test]
fn every_route_declares_who_may_call_it() {
    for Route { method, path, access } in &routes() {
        let expected = match access.as_str() {
            "public" => PUBLIC.contains(&path.as_str()),
            "signed in" => SIGNED_IN.contains(&path.as_str()),
            named => ALL.iter().any(|known| known.to_string() == named),
        };
        assert!(expected, "{method} {path} is open to {access}");
    }
}

#[tokio::test]
async fn every_route_admits_the_roles_that_hold_its_permission_and_no_other() {
    let service = unlimited().await;
    for role in ROLES {
        let token = service.member(&format!("the {role}"), role).await;
        for route in routes().iter().filter(|route| route.path != "/logout") {
            let lacks = route.permission().filter(|permission| !holds(role, permission));
            let refused = refused_for(&service, &token, route).await;
            assert_eq!(refused.as_deref(), lacks, "{role}: {} {}", route.method, route.path);
        }
    }
}

/// Gives a role these permissions and no other.
async fn holding(service: &Running, role: (Uuid, Uuid), permissions: &[String]) {
    let stored = json!(permissions).to_string();
    service.app.tenants.db.update_role(role, None, Some(&stored), service.clock.now()).await.unwrap();
}

#[tokio::test]
async fn one_permission_is_enough_for_its_routes_and_all_others_are_not() {
    let service = unlimited().await;
    let org = service.app.tenants.db.org_named("default").await.unwrap().unwrap().id;
    let made = service.app.tenants.db.create_role(org, "own", "[]", service.clock.now()).await.unwrap();
    let guardengine_store::Created::Done(role) = made else { panic!("the name is free") };
    let (token, key) = (service.member("own", "own").await, (org, role.id));
    let routes = routes();
    for permission in routes.iter().filter_map(Route::permission).collect::<BTreeSet<_>>() {
        let others = ALL.iter().map(ToString::to_string).filter(|other| other != permission);
        let alone = [permission.to_owned()];
        for (held, lacks) in [(&alone[..], None), (&others.collect::<Vec<_>>()[..], Some(permission))] {
            holding(&service, key, held).await;
            for route in routes.iter().filter(|route| route.permission() == Some(permission)) {
                let refused = refused_for(&service, &token, route).await;
                assert_eq!(refused.as_deref(), lacks, "{} {}", route.method, route.path);
            }
        }
    }
}
