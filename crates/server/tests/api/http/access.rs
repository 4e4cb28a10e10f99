//! Tests of every route with every role. They fail for a route without declared access.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    ops::openapi::{document, operations},
    support::{PERMISSIONS, TestService},
};

/// Paths that need no credential and no admission.
const PAGES: [&str; 6] = ["/", "/docs", "/openapi.json", "/healthz", "/readyz", "/metrics"];
const PUBLIC: [&str; 6] =
    ["/token", "/login", "/refresh", "/auth/select-org", "/auth/invitation", "/auth/invitation/accept"];
const SIGNED_IN: [&str; 12] = [
    "/logout",
    "/auth/switch-org",
    "/api/users/me",
    "/api/users/me/password",
    "/api/users/me/sessions",
    "/api/users/me/sessions/{session_id}",
    "/api/guardrails",
    "/api/permissions",
    "/api/organization",
    "/api/jobs",
    "/api/jobs/{job_id}",
    "/api/jobs/{job_id}/audio",
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

/// A route and its declared access.
struct Route {
    method: Method,
    path: String,
    access: String,
}

impl Route {
    /// Returns the permission that the route needs.
    fn permission(&self) -> Option<&str> {
        PERMISSIONS.iter().any(|known| known.to_string() == self.access).then_some(self.access.as_str())
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

/// Sends an empty request and returns the permission that it was refused for.
async fn refused_for(service: &TestService, token: &str, route: &Route) -> Option<String> {
    let path = route.path.replace(['{', '}'], "");
    let request = service.request(route.method.clone(), &path).bearer_auth(token).json(&json!({}));
    let response = request.send().await.unwrap();
    if response.status() != 403 {
        // Do not wait for the end of an open stream.
        return None;
    }
    let body: Value = response.json().await.unwrap();
    body["detail"].as_str()?.strip_prefix("missing required permission: ").map(str::to_owned)
}

async fn unlimited() -> TestService {
    TestService::with(&[("limits.default", "off"), ("limits.analyze", "off"), ("limits.token", "off")]).await
}

#[test]
fn every_route_declares_who_may_call_it() {
    for Route { method, path, access } in &routes() {
        let expected = match access.as_str() {
            "public" => PUBLIC.contains(&path.as_str()),
            "signed in" => SIGNED_IN.contains(&path.as_str()),
            named => PERMISSIONS.iter().any(|known| known.to_string() == named),
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

/// Sets the permissions of a role.
async fn holding(service: &TestService, role: (Uuid, Uuid), permissions: &[String]) {
    let stored = json!(permissions).to_string();
    service.change(async |tx| tx.update_role(role, None, Some(&stored), service.clock.now()).await).await;
}

#[tokio::test]
async fn a_route_needs_its_permission_and_no_other() {
    let service = unlimited().await;
    let org = service.org_id().await;
    let made = service.change(async |tx| tx.create_role(org, "own", "[]", service.clock.now()).await).await;
    let guardengine_store::Created::Done(role) = made else { panic!("the name is free") };
    let (token, key) = (service.member("own", "own").await, (org, role.id));
    let routes = routes();
    for permission in routes.iter().filter_map(Route::permission).collect::<BTreeSet<_>>() {
        let others = PERMISSIONS.iter().map(ToString::to_string).filter(|other| other != permission);
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
